import { expandMetadata, Metadata, TypeRegistry, unwrapStorageType } from '@polkadot/types';
import type { Call, EventRecord } from '@polkadot/types/interfaces';
import type { CallFunction, Codec } from '@polkadot/types/types';
import { compactStripLength, hexToU8a, stringCamelCase, u8aToHex } from '@polkadot/util';
import { ChainError } from '../errors.ts';
import { readExtensions } from './extensions.ts';
import type { RuntimeVersion } from './version.ts';

/** "meta". */
const METADATA_MAGIC = '0x6d657461';

/** One storage map or value of a runtime. */
export interface StorageItem {
  /** "0x" + hex of the whole storage key for these map keys. */
  key(args: readonly unknown[]): string;
  /**
   * The decoded value of the raw bytes ("0x" + hex, or null where nothing is stored): null for an absent optional
   * item, the runtime's default for any other. RUNTIME_UNKNOWN if the bytes are not exactly one value.
   */
  decode(raw: string | null): Codec | null;
}

/** Everything needed to decode blocks of one runtime version and to encode calls for it. */
export interface Runtime {
  readonly version: RuntimeVersion;
  readonly registry: TypeRegistry;
  /** Transaction extensions that this node cannot fill in; it does not sign while there is one. */
  readonly unsignable: readonly string[];
  /** Names as in the metadata: `storage("Commitments", "CommitmentOf")`. RUNTIME_UNKNOWN if there is none. */
  storage(pallet: string, item: string): StorageItem;
  /** True if the runtime has that storage item: newer runtimes keep their epochs differently. */
  hasStorage(pallet: string, item: string): boolean;
  /** Decodes `System.Events` bytes; null is an empty list. */
  events(raw: string | null): readonly EventRecord[];
  /** A call with its arguments, names as in the metadata. */
  call(pallet: string, method: string, args: readonly unknown[]): Call;
}

/** Builds a runtime from `state_getMetadata`'s bytes; RUNTIME_UNKNOWN if they cannot be understood. */
export function buildRuntime(metadataHex: `0x${string}`, version: RuntimeVersion): Runtime {
  return understood('metadata', () => {
    const registry = new TypeRegistry();
    // The library reads bytes without the magic number, or none at all, as an empty runtime.
    if (!metadataHex.startsWith(METADATA_MAGIC)) throw new ChainError('RUNTIME_UNKNOWN', 'no metadata');
    const metadata = new Metadata(registry, metadataHex);
    if (metadata.asLatest.pallets.length === 0) throw new ChainError('RUNTIME_UNKNOWN', 'no pallets');
    // Twice: the extensions' types can be looked up only once the type table is registered.
    registry.setMetadata(metadata, [], undefined, true);
    const extensions = readExtensions(registry, metadata);
    registry.setMetadata(metadata, [...extensions.names], extensions.empty, true);
    const { query, tx } = expandMetadata(registry, metadata);

    const entry = (pallet: string, item: string) => query[stringCamelCase(pallet)]?.[stringCamelCase(item)];
    return {
      version,
      registry,
      unsignable: extensions.unknown,
      hasStorage: (pallet, item) => entry(pallet, item) !== undefined,
      storage(pallet, item) {
        const found = entry(pallet, item);
        const field = `${pallet}.${item}`;
        if (found === undefined) throw new ChainError('RUNTIME_UNKNOWN', 'no such storage item', { field });
        const optional = found.meta.modifier.isOptional;
        return {
          key: (args) => understood(field, () => u8aToHex(compactStripLength(found(...args))[1])),
          decode: (raw) => {
            if (raw === null && optional) return null;
            return understood(field, () => {
              const type = unwrapStorageType(registry, found.meta.type);
              return whole(registry, type, raw ?? found.meta.fallback.toHex());
            });
          },
        };
      },
      events: (raw) =>
        understood('System.Events', () =>
          raw === null ? [] : [...(whole(registry, 'Vec<EventRecord>', raw) as unknown as Iterable<EventRecord>)],
        ),
      call(pallet, method, args) {
        const field = `${pallet}.${method}`;
        const found: CallFunction | undefined = tx[stringCamelCase(pallet)]?.[stringCamelCase(method)];
        if (found === undefined) throw new ChainError('RUNTIME_UNKNOWN', 'no such call', { field });
        return understood(field, () => found(...args) as unknown as Call);
      },
    };
  });
}

/** One value that takes up all of the bytes; the library alone would ignore what is left over. */
function whole(registry: TypeRegistry, type: string, hex: string): Codec {
  // As bytes: the library reads hex of an integer type as a big-endian number.
  const bytes = hexToU8a(hex);
  const value = registry.createTypeUnsafe(type, [bytes]) as Codec;
  if (value.encodedLength !== bytes.length) {
    throw new ChainError('RUNTIME_UNKNOWN', `${bytes.length} bytes hold a value of ${value.encodedLength} bytes`);
  }
  return value;
}

function understood<T>(field: string, decode: () => T): T {
  try {
    return decode();
  } catch (cause) {
    if (cause instanceof ChainError && cause.field !== null) throw cause;
    throw new ChainError('RUNTIME_UNKNOWN', undefined, { field, cause });
  }
}
