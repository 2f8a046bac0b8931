import { fchmodSync, fstatSync, openSync } from 'node:fs'

/**
 * Creates or empties a file and makes it readable only for its owner, also an existing file. @returns its descriptor
 */
export function openPrivate(file: string): number {
  const descriptor = openSync(file, 'w', 0o600)
  if (fstatSync(descriptor).isFile()) fchmodSync(descriptor, 0o600)
  return descriptor
}

/**
 * A system error for a file (`ENOENT`, `EACCES`, `ENOSPC` and others). Its message contains the file and the reason.
 */
export const isFileError = (thrown: unknown): thrown is NodeJS.ErrnoException =>
  thrown instanceof Error && typeof (thrown as NodeJS.ErrnoException).syscall === 'string'
