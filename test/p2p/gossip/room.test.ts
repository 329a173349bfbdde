import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GossipSub, TopicValidatorFn } from '@libp2p/gossipsub';
import type { PeerId } from '@libp2p/interface';
import { Counters } from '../../../p2p/counters.ts';
import { GossipRoom } from '../../../p2p/gossip/room.ts';
import { Connections } from '../../../p2p/guard/connections.ts';
import { RateLimiter } from '../../../p2p/guard/gcra.ts';

test('the topic has a validator before it is subscribed, and it ignores whoever has not authenticated', async () => {
  const topicValidators = new Map<string, TopicValidatorFn>();
  const subscribed: boolean[] = [];
  const pubsub = {
    topicValidators,
    addEventListener: () => {},
    subscribe: (topic: string) => subscribed.push(topicValidators.has(topic)),
  } as unknown as GossipSub;
  let asked = 0;
  const counters = new Counters(null);
  const room = new GossipRoom(pubsub, 'topic', {
    connections: new Connections('self', () => 0),
    rates: new RateLimiter({ perMinute: 60, burst: 60 }, () => 0),
    counters,
    logger: { debug: () => {}, info: () => {}, warn: () => {} },
    penalise: () => {},
    validateAnnouncement: () => {
      asked += 1;
      return 'accept';
    },
    onAnnouncement: () => {},
  });
  room.open();
  assert.deepEqual(subscribed, [true]);
  const stranger = { toString: () => 'stranger' } as PeerId;
  const verdict = await topicValidators.get('topic')?.(stranger, {
    type: 'unsigned',
    topic: 'topic',
    data: Buffer.from('x'),
  });
  assert.equal(verdict, 'ignore');
  assert.equal(asked, 0);
  assert.equal(counters.all().gossip_ignored, 1);
});
