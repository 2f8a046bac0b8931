/** A hash that another server made, with all that a check needs but the password. */
export interface ForeignHash {
  format: string
  /** The format with its parameters, and nothing of the person: hashes with the same cost take the same time. */
  cost: string
  /** Why a check would take more memory or time than one request may have; null when it is within bounds. */
  tooMuch: string | null
  /** A hash of the same cost that is nobody's. */
  sample(): string
  verify(password: string): Promise<boolean>
}

/** One form that a stored hash may have. @returns null for anything of another form */
export type HashFormat = (stored: string) => ForeignHash | null

/**
 * The most memory that one check may take. An isolate has 128 MiB for all that it does, and checks are synchronous, so
 * that never are there two at once.
 */
export const mostMemory = 64 * 1024 * 1024

export const memoryBound = (bytes: number): string | null =>
  bytes > mostMemory ? `needs ${Math.ceil(bytes / 1024 / 1024)} MiB of memory, more than 64` : null

/** Zeros in base64, as long as a text: in place of a salt or key in a sample. */
export const blank = (text: string): string => 'A'.repeat(text.length)
