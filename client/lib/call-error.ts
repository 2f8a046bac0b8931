import type { AuthError, Result } from './auth/types.ts'

/** An answer that is not a success, thrown: what react-query wants. */
export class CallError extends Error {
  constructor(readonly error: AuthError) {
    super(error.message ?? error.statusText)
  }
}

/** The data of an answer. `queryFn: () => unwrap(auth.listSessions())` */
export async function unwrap<Data>(answer: Promise<Result<Data>>): Promise<Data> {
  const { data, error } = await answer
  if (error) throw new CallError(error)
  return data as Data
}

/** What went wrong, whether it was thrown by `unwrap` or is an answer's own error. */
export function errorOf(thrown: unknown): AuthError {
  if (thrown instanceof CallError) return thrown.error
  if (thrown && typeof thrown === 'object' && 'status' in thrown) return thrown as AuthError
  return { status: 500, statusText: '', code: 'UNEXPECTED' }
}
