import { mainnetConsensus } from '../../config/consensus/index.ts';
import { evidenceRoot, JSON_MEDIA_TYPE, secretFile } from '../../evaluator/evidence/index.ts';
import { canonicalDigest, canonicalJson, contentHash, sha256Hex } from '../../evaluator/identity/index.ts';
import { type Attempt, arenaDigest, attemptDigest } from '../../evaluator/launch/index.ts';
import { type Anchor, consensusDigest, encodeAnchor, encodePayload } from '../../evaluator/peer/index.ts';
import { secretCommitment, selectionSeed } from '../../evaluator/select/index.ts';
import { PAIRED_PREVIEW_V9, speedPolicyDigest } from '../../evaluator/speed/index.ts';
import { preAuthEncoding, receiptDigest, signEnvelope, statementBytes } from '../../evaluator/statement/index.ts';
import { packChunks } from '../../node/store/bundles/pack.ts';
import { authMessage } from '../../p2p/auth/messages.ts';
import { bindingDigest, bindingMessage } from '../../p2p/binding/binding.ts';
import { nodeKeyFromSeed } from '../../p2p/host/key.ts';
import { encodeFrame } from '../../p2p/wire/wire-stream.ts';

/** A digest that is easily recognised: the SHA-256 of a word. */
const of = (word: string): string => sha256Hex(word);
const HOTKEY = '5C4hrfjw9DjXZTzV3MwzrrAr9P1MJhSrvWGWqi1eSuyUpnhM';
const GENESIS = `0x${of('genesis')}`;
const BYTES_PER_LINE = 32;

function hex(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('hex');
  return text.replaceAll(new RegExp(`.{1,${2 * BYTES_PER_LINE}}`, 'g'), '$&\n').trimEnd();
}

/** The examples of docs/PROTOCOL.md by name, made by the code they describe. */
export async function protocolExamples(): Promise<ReadonlyMap<string, string>> {
  const key = await nodeKeyFromSeed(Buffer.alloc(32, 1));
  const consensus = mainnetConsensus(
    {
      genesis_hash: GENESIS,
      netuid: 14,
      arena_digest: of('arena'),
      catalog_digest: of('catalog'),
      genesis_stack_digest: of('stack'),
      speed_policy_digest: speedPolicyDigest(PAIRED_PREVIEW_V9),
      evaluation_digest: of('evaluation'),
    },
    1_000_000,
  );
  const binding = {
    schema_version: 1,
    genesis_hash: GENESIS,
    netuid: 14,
    hotkey: HOTKEY,
    peer_id: key.peerId,
    node_public_key: key.publicKey,
    epoch: 1,
    expires_height: 1_050_400,
  } as const;
  const auth = {
    consensus_digest: consensusDigest(consensus),
    nonce_a: of('nonce a'),
    nonce_b: of('nonce b'),
    peer_a: key.peerId,
    peer_b: '12D3KooWEXAMPLEofTheListenersPeerIdxxxxxxxxxxxxxxxx',
  };
  const files = [
    { path: 'kernels/matmul.ts', data: Buffer.from('export function matmul(): void {}\n') },
    { path: 'manifest.toml', data: Buffer.from('bundle_id = "x"\n') },
  ];
  const secret = Buffer.alloc(32, 2);
  const attempt: Attempt = {
    cohort_index: 7,
    hotkey: HOTKEY,
    incumbent_stack_digest: of('stack'),
    place: 3,
    plan_digest: of('plan'),
    reservation_id: of('reservation'),
    secret_commitment: secretCommitment(secret),
  };
  const root = evidenceRoot([
    { name: 'secret.json', bytes: Buffer.from(canonicalJson(secretFile(secret))), mediaType: JSON_MEDIA_TYPE },
    { name: 'attempt.json', bytes: Buffer.from(canonicalJson(attempt)), mediaType: JSON_MEDIA_TYPE },
  ]);
  const statement = statementBytes({
    evidenceRoot: sha256Hex(root),
    predicate: {
      schema_version: 1,
      consensus_digest: consensusDigest(consensus),
      cohort_index: 7,
      place: 3,
      reservation_id: of('reservation'),
      attempt_digest: attemptDigest(attempt),
      result: 'PASS',
      reason: null,
      speedup: '1.25',
      selected_delta_digest: of('delta'),
      binding_digest: bindingDigest(binding),
    },
  });
  const anchor = (value: Anchor): string => hex(encodeAnchor(value));
  const receipt = receiptDigest(statement);
  return new Map([
    ['canonical-digest', canonicalDigest('cacheon.example.v1', { b: [true, null, 'é'], a: -1 })],
    ['frame', hex(encodeFrame({ accepted: true }))],
    ['auth-envelope', canonicalJson({ domain: 'cacheon.peer.auth.v1', payload: auth, schema_version: 1 })],
    ['auth-message', hex(authMessage(auth))],
    ['binding-envelope', canonicalJson({ domain: 'cacheon.peer.binding.v1', payload: binding, schema_version: 1 })],
    ['binding-message', Buffer.from(bindingMessage(binding)).toString('utf8')],
    ['pack', hex(Buffer.concat(packChunks(files)))],
    ['content-hash', contentHash(files)],
    [
      'payload',
      encodePayload({ content_hash: contentHash(files), url: 'https://miner.example/b.tar.gz', payment: null }),
    ],
    ['anchor-ready', anchor({ kind: 'ready', arena_digest: of('arena'), capacity: 2 })],
    ['anchor-attempt', anchor({ kind: 'attempt', cohort_index: 7, place: 3, digest: attemptDigest(attempt) })],
    ['anchor-receipt', anchor({ kind: 'receipt', cohort_index: 7, place: 3, digest: receipt })],
    ['anchor-ballot', anchor({ kind: 'ballot', cohort_index: 7, bitmap: 0b1011n, previous: of('record') })],
    [
      'anchor-policy',
      anchor({ kind: 'policy', consensus_digest: consensusDigest(consensus), activation_height: 1_000_000n }),
    ],
    ['consensus', canonicalJson(consensus)],
    ['consensus-digest', consensusDigest(consensus)],
    ['draw', canonicalDigest('cacheon.peer.draw.v1', { entropy: GENESIS, reservation_id: of('reservation'), side: 0 })],
    ['attempt', canonicalJson(attempt)],
    ['attempt-digest', attemptDigest(attempt)],
    ['seed', selectionSeed(attemptDigest(attempt), GENESIS, secret)],
    ['root', Buffer.from(root).toString('utf8')],
    ['statement', Buffer.from(statement).toString('utf8')],
    ['receipt-digest', receipt],
    ['pae-head', Buffer.from(preAuthEncoding('application/vnd.in-toto+json', statement)).toString('utf8').slice(0, 44)],
    ['dsse', Buffer.from(signEnvelope(statement, key.privateKey, key.publicKey)).toString('utf8')],
    [
      'arena',
      arenaDigest({
        schema_version: 1,
        name: 'embedded-wasm',
        backend: 'wasm',
        engine_digest: of('engine'),
        model_digest: of('model'),
        workload_digest: of('workload'),
        topology: 'single',
        lane_slots: 2,
      }),
    ],
    ['speed-policy-digest', speedPolicyDigest(PAIRED_PREVIEW_V9)],
  ]);
}
