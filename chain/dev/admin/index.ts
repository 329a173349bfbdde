export { HeadSkipper } from './heads.ts';
export { adminMethods } from './methods.ts';
