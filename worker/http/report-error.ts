import type { Scope } from '../identity/scope.ts'
import { AppError, OAuthError } from '../kit/errors.ts'
import type { ReportedError } from '../kit/reported-error.ts'
import { reasonOf } from '../platform/log.ts'
import { httpErrors } from './http.errors.ts'
import type { Opening } from './open-scope.ts'

/** Reports an error to `gatehouse-auth dev`, which sets ERROR_LOG to an address of its own on this machine. */
export function reportError(
  scope: Scope,
  opening: Opening,
  thrown: unknown,
  status: number,
  hint: string | null,
): void {
  const url = opening.env.ERROR_LOG
  if (!url || scope.settings.environment !== 'development') return
  const error: ReportedError = {
    requestId: scope.request.id,
    at: scope.now().toISOString(),
    method: opening.request.method,
    path: opening.endpoint?.path ?? opening.path,
    status,
    ...describe(thrown),
    ...(hint ? { hint } : {}),
  }
  const send = () => scope.outside(url, { method: 'POST', body: JSON.stringify(error) })
  scope.after(() => send().catch(() => undefined), 'nothing')
}

function describe(thrown: unknown): Pick<ReportedError, 'code' | 'message' | 'reason' | 'issues'> {
  if (thrown instanceof AppError) {
    const { detail, extra } = thrown.options
    return {
      code: thrown.code,
      message: thrown.message,
      ...(detail ? { reason: detail } : {}),
      ...(extra?.issues ? { issues: extra.issues } : {}),
    }
  }
  if (thrown instanceof OAuthError) {
    const { detail } = thrown.options
    return { code: thrown.error, message: thrown.description, ...(detail ? { reason: detail } : {}) }
  }
  const { code, message } = httpErrors.INTERNAL_SERVER_ERROR()
  return { code, message, reason: reasonOf(thrown) }
}
