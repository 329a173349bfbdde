/** The JSON files of a result (`names.md`, evidence files). */
export const JSON_NAMES = [
  'attempt.json',
  'audit.json',
  'blocks.json',
  'build.json',
  'launch.json',
  'log.json',
  'manifests.json',
  'plan.json',
  'reference.json',
  'schedule.json',
  'secret.json',
  'selection.json',
  'trajectory.json',
] as const;

export type JsonName = (typeof JSON_NAMES)[number];

const OUTPUT = /^outputs\/[0-9]{4}\.bin$/;
export const JSON_MEDIA_TYPE = 'application/json';
export const OUTPUT_MEDIA_TYPE = 'application/octet-stream';

/** Name of the file with the whole output of an audit case, f32 little-endian. */
export function outputName(index: number): string {
  return `outputs/${String(index).padStart(4, '0')}.bin`;
}

/** The media type a file of this name has, or null if there is no such file. */
export function mediaTypeOf(name: string): string | null {
  if ((JSON_NAMES as readonly string[]).includes(name)) return JSON_MEDIA_TYPE;
  return OUTPUT.test(name) ? OUTPUT_MEDIA_TYPE : null;
}
