export { KEY_ERRORS, KeyError, type KeyErrorCode } from './errors.ts';
export { ensureKeyFolder, readKeyFile, writeKeyFile } from './files.ts';
export { type HotkeySource, loadHotkey } from './hotkey.ts';
export { createNodeKey, loadNodeKey, type NodeKey, nodeKeyFromSeed } from './node-key.ts';
