/** Bounds of the node's configuration. */
/** Bytes of the configuration file. */
export const CONFIG_MAX_BYTES = 256 * 1024;
/** Entries of one list: endpoints, addresses. */
export const CONFIG_MAX_LIST = 64;
/** Characters of one text value. */
export const CONFIG_MAX_TEXT = 1024;
/** Bytes of a Unix socket path, terminator left off (`sun_path` of Linux). */
export const SOCKET_PATH_MAX_BYTES = 107;
/** Lane capacity a ready anchor can declare (`peer-protocol.md` section 3). */
export const CAPACITY_MAX = 16;
