/** A hash from another server, with everything that a check needs except the password. */
export interface ForeignHash {
  format: string
  /** The format with its parameters and without user data. Hashes with the same cost take the same time. */
  cost: string
  /** Why a check would exceed the memory or time of a request; null if it is within the limits. */
  tooMuch: string | null
  /** Returns a hash of the same cost that belongs to no user. */
  sample(): string
  verify(password: string): Promise<boolean>
}

/** A format of stored hashes. @returns null for a text in another format */
export type HashFormat = (stored: string) => ForeignHash | null

/**
 * The maximum memory of one check. An isolate has 128 MiB, and checks are synchronous, so that two never run at the
 * same time.
 */
export const maxMemory = 64 * 1024 * 1024

export const memoryBound = (bytes: number): string | null =>
  bytes > maxMemory ? `needs ${Math.ceil(bytes / 1024 / 1024)} MiB of memory, more than 64` : null

/** Zeros in base64 with the length of a text, in place of a salt or key in a sample. */
export const blank = (text: string): string => 'A'.repeat(text.length)
