export { type AuditCase, type AuditPlan, caseInputs, planAudit } from './cases.ts';
export { AUDIT_ERRORS, AuditError, type AuditErrorCode } from './errors.ts';
export { exp } from './exp.ts';
export { type AuditPolicy, MAX_CALLS_PER_SLOT, parseAuditPolicy } from './policy.ts';
export { slotReference } from './reference.ts';
export { outputSize, SLOT_IDS, shapeOf } from './slots.ts';
export { firstWrongToken, type TokenFact } from './tokens.ts';
export { agreesWithReference, firstOutside, floatBytes, type MismatchKind, readFloats } from './verdict.ts';
