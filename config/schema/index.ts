export { CAPACITY_MAX, CONFIG_MAX_BYTES } from './limits.ts';
export { fieldsOf, LOG_LEVELS, type NodeConfig, SECTION_NAMES, SECTIONS, type SectionName } from './sections.ts';
