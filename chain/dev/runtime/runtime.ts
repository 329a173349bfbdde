import { encodeMetadata, type PalletShape } from '../metadata/index.ts';
import { bytes, type Codec, noFields, struct, type TypeShape, variantShape, vec } from '../scale/index.ts';
import { defaulted, type StorageItem } from '../storage/index.ts';
import { balancesPallet } from './balances/pallet.ts';
import { commitmentsPallet } from './commitments/pallet.ts';
import { drandPallet } from './drand/pallet.ts';
import { eventRecordShape } from './events.ts';
import { SIGNED_EXTENSIONS } from './extrinsic/extensions.ts';
import { decodeExtrinsic, EXTRINSIC_VERSION, type Extrinsic } from './extrinsic/extrinsic.ts';
import type { FieldsShape, Pallet } from './pallet.ts';
import { subtensorPallet } from './subtensor/pallet.ts';
import { systemPallet } from './system/pallet.ts';
import { timestampPallet } from './timestamp/pallet.ts';
import { multiAddress, multiSignature } from './types/account.ts';
import { DEV_RUNTIME_VERSION, type RuntimeVersion } from './version.ts';

const CRATE = 'node_subtensor_runtime';

/** The pallets put together: what the chain can decode, execute and describe. */
export interface Runtime {
  readonly version: RuntimeVersion;
  /** SCALE metadata, version 14, with its magic number. */
  readonly metadata: Uint8Array;
  /** In index order, the order of their hooks. */
  readonly pallets: readonly Pallet[];
  readonly events: StorageItem<[], readonly Uint8Array[], readonly Uint8Array[]>;
  decodeExtrinsic(bytes: Uint8Array): Extrinsic;
}

export interface RuntimeOptions {
  /** Half the expected block time, in milliseconds. */
  readonly minimumPeriodMs: number;
}

export function createRuntime({ minimumPeriodMs }: RuntimeOptions): Runtime {
  const others = [
    timestampPallet(BigInt(minimumPeriodMs)),
    balancesPallet,
    subtensorPallet,
    commitmentsPallet,
    drandPallet,
  ];
  const eventShape = overPallets('RuntimeEvent', [systemPallet(eventsItem(null)), ...others], eventsOf);
  const events = eventsItem(eventRecordShape(eventShape));
  const pallets = [systemPallet(events), ...others];
  const callShape = overPallets('RuntimeCall', pallets, callsOf);
  const metadata = encodeMetadata({
    pallets: pallets.map(palletShape),
    extrinsic: extrinsicShape(callShape),
    extrinsicVersion: EXTRINSIC_VERSION,
    signedExtensions: SIGNED_EXTENSIONS,
    runtime: struct(`${CRATE}::Runtime`, noFields).shape,
  });
  const calls = new Map(
    pallets.flatMap((pallet) => Object.values(pallet.calls).map((call) => [`${pallet.index}.${call.index}`, call])),
  );
  return {
    version: DEV_RUNTIME_VERSION,
    metadata,
    pallets,
    events,
    decodeExtrinsic: (bytes) => decodeExtrinsic(bytes, (pallet, call) => calls.get(`${pallet}.${call}`)),
  };
}

/** System.Events holds records of every pallet's events, which this chain keeps as bytes. */
function eventsItem(record: TypeShape | null): Runtime['events'] {
  const codec: Codec<Uint8Array> = {
    shape: record ?? struct('frame_system::EventRecord', noFields).shape,
    encode: (value, out) => out.bytes(value),
    decode: (input) => input.bytes(input.remaining),
  };
  return defaulted('System', 'Events', [], vec(codec), []);
}

function overPallets(name: string, pallets: readonly Pallet[], shape: (pallet: Pallet) => TypeShape | null): TypeShape {
  const variants = pallets.flatMap((pallet): [string, FieldsShape][] => {
    const type = shape(pallet);
    return type === null ? [] : [[pallet.name, { index: pallet.index, fields: { fields: [{ name: null, type }] } }]];
  });
  return variantShape(`${CRATE}::${name}`, variants);
}

function palletShape(pallet: Pallet): PalletShape {
  return {
    name: pallet.name,
    index: pallet.index,
    storage: pallet.storage.map(({ shape }) => shape),
    calls: callsOf(pallet),
    events: eventsOf(pallet),
    errors: errorsOf(pallet),
    constants: pallet.constants,
  };
}

const anyRuntime = [{ name: 'T', type: null }];

function callsOf(pallet: Pallet): TypeShape | null {
  const calls = Object.entries(pallet.calls).map(([name, { index, fields }]): [string, FieldsShape] => [
    name,
    { index, fields: { fields } },
  ]);
  return calls.length === 0 ? null : variantShape(`${pallet.path}::pallet::Call`, calls, anyRuntime);
}

function eventsOf(pallet: Pallet): TypeShape | null {
  const events = Object.entries(pallet.events);
  return events.length === 0 ? null : variantShape(`${pallet.path}::pallet::Event`, events, anyRuntime);
}

function errorsOf(pallet: Pallet): TypeShape | null {
  const errors = Object.entries(pallet.errors).map(([name, index]): [string, FieldsShape] => [
    name,
    { index, fields: noFields },
  ]);
  return errors.length === 0 ? null : variantShape(`${pallet.path}::pallet::Error`, errors, anyRuntime);
}

/** Clients look for the four parameters of UncheckedExtrinsic. */
function extrinsicShape(call: TypeShape): TypeShape {
  const extensions = SIGNED_EXTENSIONS.map(({ type }) => type);
  return {
    path: ['sp_runtime', 'generic', 'unchecked_extrinsic', 'UncheckedExtrinsic'],
    params: [
      { name: 'Address', type: multiAddress.shape },
      { name: 'Call', type: call },
      { name: 'Signature', type: multiSignature.shape },
      { name: 'Extra', type: { path: [], params: [], definition: { kind: 'tuple', items: extensions } } },
    ],
    definition: { kind: 'composite', fields: [{ name: null, type: bytes.shape }] },
  };
}
