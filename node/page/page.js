'use strict';

/** Milliseconds between two looks at the node. */
const INTERVAL_MS = 2000;
/** Digits shown of a digest; the whole is in the cell's title. */
const SHORT = 12;

const byId = (id) => document.getElementById(id);

/** A cell: text only, never markup. Long codes are cut, with the whole text on hover. */
function cell(value) {
  const td = document.createElement('td');
  const text = value === null || value === undefined || value === '' ? '–' : String(value);
  if (/^(0x)?[0-9a-f]{40,}$/.test(text) || /^[1-9A-HJ-NP-Za-km-z]{40,}$/.test(text)) {
    td.className = 'code';
    td.title = text;
    td.textContent = `${text.slice(0, SHORT)}…`;
  } else {
    td.textContent = text;
  }
  return td;
}

function table(id, head, rows) {
  const element = document.createElement('table');
  const headRow = element.createTHead().insertRow();
  for (const name of head) {
    const th = document.createElement('th');
    th.textContent = name;
    headRow.append(th);
  }
  const body = element.createTBody();
  for (const row of rows) body.insertRow().append(...row.map(cell));
  byId(id).querySelector('div').replaceChildren(rows.length === 0 ? 'none' : element);
}

function showCohort(cohort) {
  if (cohort === null) {
    table('cohort', [], []);
    return;
  }
  const rows = cohort.members.flatMap((member) =>
    member.sides.map((side) => [
      side.place,
      member.reservation_id,
      member.target_id,
      side.own ? 'this node' : side.validator,
      side.attempt === null ? 'waiting' : side.receipt === null ? 'measuring' : 'received',
      side.held ? 'yes' : 'no',
      side.result,
      side.speedup,
    ]),
  );
  table('cohort', ['place', 'reservation', 'target', 'validator', 'progress', 'bytes here', 'result', 'speedup'], rows);
}

function show(status) {
  const { node, chain, network, consensus, troubles } = status;
  const cohort = status.cohort === null ? '' : `, cohort ${status.cohort.index} until block ${status.cohort.deadline}`;
  byId('summary').textContent = `block ${chain.finalized_height ?? '–'}, ${status.phase}${cohort}, ${status.queue.length} waiting`;
  byId('troubles').hidden = troubles.length === 0;
  table('troubles', ['state', 'since', 'detail', 'what to do'], troubles.map((t) => [t.code, t.since, t.detail, t.remedy]));
  table('node', ['hotkey', 'peer', 'version', 'network', 'netuid', 'consensus', 'anchors left'], [
    [node.hotkey, node.peer_id, node.version, network.preset, network.netuid, consensus.digest, status.anchors_left],
  ]);
  table('chain', ['finalized', 'hash', 'folded', 'endpoint', 'seconds since'], [
    [chain.finalized_height, chain.finalized_hash, chain.folded_height, chain.endpoint, chain.head_age_seconds],
  ]);
  showCohort(status.cohort);
  table('queue', ['reservation', 'miner', 'committed', 'block', 'spent', 'passes'],
    status.queue.rows.map((r) => [r.reservation_id, r.hotkey, r.committed, r.block, r.spent, r.passes]));
  table('lanes', ['slot', 'role', 'reservation'], status.lanes.slots.map((l) => [l.slot, l.role ?? 'free', l.reservation_id]));
  table('stack', ['target', 'miner', 'speedup', 'crowned at'],
    status.stack.entries.map((e) => [e.target_id, e.hotkey, e.speedup_ppm === null ? null : e.speedup_ppm / 1e6, e.crowned_block]));
  table('journal', ['sequence', 'event', 'target', 'reason', 'digest'],
    status.journal.recent.map((e) => [e.sequence, e.event_type, e.target_id, e.reason, e.digest]));
  table('weights', ['epoch', 'state', 'vector', 'detail'],
    status.weights.rows.map((w) => [w.epoch_height, w.state, w.vector.map((v) => `${v.uid}: ${v.weight}`).join(', '), w.detail]));
  table('peers', ['hotkey', 'peer', 'address', 'authenticated'],
    status.peers.rows.map((p) => [p.hotkey, p.peer_id, p.address, p.authenticated ? 'yes' : 'no']));
}

async function poll() {
  try {
    const response = await fetch('/status.json', { signal: AbortSignal.timeout(INTERVAL_MS * 2) });
    if (!response.ok) throw new Error(String(response.status));
    show(await response.json());
    document.body.classList.remove('stale');
  } catch {
    document.body.classList.add('stale');
    byId('summary').textContent = 'the node does not answer';
  }
  setTimeout(poll, INTERVAL_MS);
}

poll();
