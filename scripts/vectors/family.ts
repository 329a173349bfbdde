/** One family of `../shared/vectors` (`protocol.md` section 14): how to run a vector of it. */
export interface VectorFamily {
  readonly family: string;
  /**
   * Runs one vector.
   * @param input the vector's `input`; integers beyond 2^53 are bigints
   * @param shared the file's `shared`
   * @returns at least the keys that `expect` may name
   * @throws CacheonError where the vector expects an error; any other exception is a failure
   */
  run(input: Record<string, unknown>, shared: Record<string, unknown>): Record<string, unknown>;
}
