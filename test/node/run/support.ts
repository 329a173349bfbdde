import type { TestContext } from 'node:test';
import { wasmArenaCatalog } from '../../../evaluator/catalog/index.ts';
import { contentHash, sha256Hex, type TreeFile } from '../../../evaluator/identity/index.ts';
import type { CohortDuties, PlaceDuty, ReceiptDuty, ReservationRef } from '../../../evaluator/peer/index.ts';
import { genesisLedger, type Ledger } from '../../../evaluator/settle/index.ts';
import { receiptDigest } from '../../../evaluator/statement/index.ts';
import { Bundles, type BundlesDependencies } from '../../../node/run/bundles.ts';
import { HeldBlobs, type HeldBlobsDependencies } from '../../../node/run/evidence/blobs.ts';
import type { GradeDependencies } from '../../../node/run/evidence/grade.ts';
import {
  type BlobStore,
  type BundleStore,
  openBlobStore,
  openBundleStore,
  packChunks,
  type Store,
} from '../../../node/store/index.ts';
import { publish, type Trial } from '../../native/qualify/support/result.ts';
import { MINER, type World } from '../../native/qualify/support/world.ts';
import { temporaryFolder, temporaryStore } from '../store/support.ts';

export const never = new AbortController().signal;

/** A condition that tasks of the background bring about, looked at as they go on. */
export async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; !holds(); turn++) {
    if (turn > 20_000) throw new Error('it never came to that');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

export interface Disk {
  readonly store: Store;
  readonly blobs: BlobStore;
  readonly bundles: BundleStore;
  readonly folder: string;
}

/** The real stores of a node in a folder that goes away. */
export async function disk(t: TestContext): Promise<Disk> {
  const folder = temporaryFolder(t);
  return {
    store: temporaryStore(t).store,
    blobs: await openBlobStore(folder, { reservedFreeBytes: 0 }),
    bundles: await openBundleStore(folder, { reservedFreeBytes: 0 }),
    folder,
  };
}

export function heldBlobs(d: Disk, change: Partial<HeldBlobsDependencies> = {}): HeldBlobs {
  const fetchBlob = async (): Promise<never> => {
    throw new Error('no peer has it');
  };
  return new HeldBlobs({ store: d.store, blobs: d.blobs, fetchBlob, height: () => 10, ...change });
}

export function bundlesOf(d: Disk, change: Partial<BundlesDependencies> = {}): Bundles {
  const nobody = async (): Promise<never> => {
    throw new Error('nobody has it');
  };
  return new Bundles({
    store: d.store,
    bundles: d.bundles,
    fromMiner: nobody,
    fromPeers: nobody,
    height: () => 10,
    ...change,
  });
}

export function packOf(files: readonly TreeFile[]): Uint8Array {
  return Buffer.concat(packChunks(files));
}

export function ledgerOf(world: World): Ledger {
  const treeDigest = world.context([{ path: 'x', data: new Uint8Array() }]).incumbentTreeDigest;
  return genesisLedger(world.incumbent, treeDigest);
}

/** The reservation that a trial's bundle was committed with. */
export function reservationOf(trial: Trial, change: Partial<ReservationRef> = {}): ReservationRef {
  return {
    reservation_id: trial.context.reservationId,
    hotkey: MINER,
    content_hash: contentHash(trial.files),
    url: 'https://miner.example/b.tar',
    block: 17,
    event_index: 2,
    event_subindex: 0,
    ...change,
  };
}

/** A trial's result as the fold names it, and its bytes as peers would serve them. */
export function counted(
  trial: Trial,
  change: Partial<ReceiptDuty> = {},
  published: ReturnType<typeof publish> = publish(trial),
): { receipt: ReceiptDuty; served: Map<string, Uint8Array> } {
  const { context } = trial;
  const receipt: ReceiptDuty = {
    consensus_digest: context.rules.consensusDigest,
    cohort_index: context.cohortIndex,
    place: context.place,
    side: (context.place & 1) as 0 | 1,
    hotkey: context.hotkey,
    coldkey: context.hotkey,
    incumbent_stack_digest: context.incumbentStackDigest,
    reservation: reservationOf(trial),
    attempt_digest: trial.attemptDigest,
    attempt_height: 5,
    seed_hash: context.blockHash,
    receipt_digest: receiptDigest(published.statement),
    own: false,
    named: false,
    ...change,
  };
  const served = new Map(published.blobs).set(sha256Hex(published.statement), published.statement);
  return { receipt, served };
}

/** What grading needs, with peers that serve `served` and the bundle. */
export function grading(
  d: Disk,
  trial: Trial,
  served: ReadonlyMap<string, Uint8Array>,
  change: { readonly bundles?: Bundles; readonly blobs?: HeldBlobs; readonly own?: 'agrees' | 'fails' } = {},
): GradeDependencies {
  const blobs =
    change.blobs ??
    heldBlobs(d, {
      fetchBlob: async (digest, maxBytes) => {
        const bytes = served.get(digest);
        if (bytes === undefined || bytes.length > maxBytes) throw new Error(`nobody delivers ${digest}`);
        return bytes;
      },
    });
  return {
    store: d.store,
    blobs,
    bundles: change.bundles ?? bundlesOf(d, { fromPeers: async () => packOf(trial.files) }),
    catalog: wasmArenaCatalog(),
    rules: trial.context.rules,
    gradeTrajectory: async (sequences) => {
      if (change.own === 'fails') throw new Error('no lane');
      return sequences.map(({ tokens }) => tokens.map((token) => ({ best: token, bestLogit: 2, tokenLogit: 2 })));
    },
  };
}

/** A cohort's duties as they are while measuring, with one place. */
export function measuring(trial: Trial, change: Partial<PlaceDuty> = {}): { cohort: CohortDuties; duty: PlaceDuty } {
  const duty: PlaceDuty = {
    place: trial.context.place,
    side: (trial.context.place & 1) as 0 | 1,
    reservation: reservationOf(trial),
    next: 'attempt',
    attempt: null,
    seed_height: null,
    seed_hash: null,
    receipt: null,
    ...change,
  };
  const cohort: CohortDuties = {
    index: trial.context.cohortIndex,
    phase: 'measuring',
    opened: 90,
    assignment_block: 100,
    incumbent_stack_digest: trial.context.incumbentStackDigest,
    show_deadline: 150,
    measure_deadline: 400,
    opening_height: null,
    places: [duty],
    receipts: [],
    ballot: null,
  };
  return { cohort, duty };
}
