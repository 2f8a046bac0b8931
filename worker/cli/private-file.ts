import { fchmodSync, fstatSync, openSync } from 'node:fs'

/** Opens a file to be written anew, which only its owner may read, also where it was there before. @returns its descriptor */
export function openPrivate(file: string): number {
  const descriptor = openSync(file, 'w', 0o600)
  if (fstatSync(descriptor).isFile()) fchmodSync(descriptor, 0o600)
  return descriptor
}

/** Something that the system refused for a file (`ENOENT`, `EACCES`, `ENOSPC` ...): its message says which and why. */
export const isFileError = (thrown: unknown): thrown is NodeJS.ErrnoException =>
  thrown instanceof Error && typeof (thrown as NodeJS.ErrnoException).syscall === 'string'
