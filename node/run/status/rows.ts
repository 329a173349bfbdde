import { isObject } from '../../../evaluator/fields/index.ts';
import type { JsonValue } from '../../../evaluator/identity/index.ts';
import type { Ledger } from '../../../evaluator/settle/index.ts';
import type { JournalRow, RecordRow, StackStatus, WeightsStatus } from '../../rpc/index.ts';
import type { Store, StoredEvent, StoredRecord } from '../../store/index.ts';

/** Weights rows shown. */
const WEIGHTS_ROWS = 10;

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

export function journalRow({ sequence, digest, event }: StoredEvent): JournalRow {
  const fields = isObject(event) ? (event as Readonly<Record<string, JsonValue>>) : {};
  return {
    sequence,
    digest,
    event_type: text(fields['event_type']),
    target_id: text(fields['target_id']),
    reason: text(fields['reason']),
    subject_digest: text(fields['subject_digest']),
  };
}

export function recordRow({ cohort_index, digest, record }: StoredRecord): RecordRow {
  const { close_height, no_quorum, members } = record as unknown as RecordRow;
  return {
    index: cohort_index,
    digest,
    close_height,
    no_quorum,
    members: members.map(({ reservation_id, disposition, reason }) => ({ reservation_id, disposition, reason })),
  };
}

export function stackStatus({ stack_digest, manifest, claims }: Ledger): StackStatus {
  const entries = Object.keys(manifest.entries).map((target) => {
    const claim = claims.find((row) => row.target_id === target);
    return {
      target_id: target,
      hotkey: claim?.hotkey ?? null,
      speedup_ppm: claim === undefined ? null : Number(claim.speedup_ppm),
      crowned_block: claim === undefined ? null : Number(claim.crowned_block),
    };
  });
  return { digest: stack_digest, entries };
}

export function weightsStatus(store: Store): WeightsStatus {
  const rows = store.weights.recent(WEIGHTS_ROWS).map((row) => {
    const { uids, values } = row.vector as unknown as { uids: readonly number[]; values: readonly number[] };
    const reason = isObject(row.submission) ? row.submission['reason'] : null;
    return {
      epoch_height: row.epoch_height,
      state: row.state,
      vector: uids.map((uid, i) => ({ uid, weight: values[i] ?? 0 })),
      detail: typeof reason === 'string' ? reason : null,
    };
  });
  return { rows, last_confirmed: store.weights.lastConfirmed()?.epoch_height ?? null };
}
