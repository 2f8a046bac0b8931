/** A setting that is missing, wrong or contradictory. Its message begins with the setting's path and says what to do. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError'
  constructor(
    readonly setting: string,
    reason: string,
  ) {
    super(`${setting}: ${reason}`)
  }
}
