import type { Read } from './local.ts'

/** The methods of a service binding to `ServerApi` that are called. */
export interface Binding {
  getSession(credentials: object, options: object): Promise<Read | null>
  hasPermission(
    input: object,
  ): Promise<{ ok: true; result: { allowed: boolean } } | { ok: false; code: string; message: string }>
}
