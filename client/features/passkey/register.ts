import { auth } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import type { AuthError, Result } from '../../lib/auth/types.ts'
import { askedFor, ceremony, codeOf, problem } from './ceremony.ts'
import { signalUnknown } from './password-managers.ts'

export type Passkey = AnswerOf<'/passkey/list-user-passkeys'>[number]

/** Creates a passkey on a device that the user chooses in the browser. */
export const register = (): Promise<Result<Passkey>> =>
  askedFor((signal) =>
    ceremony(
      {
        begin: () => auth.passkey.generateRegisterOptions(),
        perform: (browser, options) => browser.startRegistration({ optionsJSON: options }),
        async finish(response, { rp }) {
          const result = await auth.passkey.verifyRegistration({ response })
          // The authenticator has created a passkey that the server rejected.
          if (orphaned.includes(result.error?.code ?? '')) void signalUnknown(rp.id, response.id)
          return result
        },
        explain,
      },
      signal,
    ),
  )

/**
 * Creates a passkey without a question, in the password manager whose password has just signed in (conditional creation).
 * Browsers reject it without a word if they cannot.
 */
export const registerAutomatically = (signal: AbortSignal): Promise<Result<Passkey>> =>
  ceremony(
    {
      begin: () => auth.passkey.generateRegisterOptions({ query: { automatic: 'true' } }),
      perform: (browser, options) => browser.startRegistration({ optionsJSON: options, useAutoRegister: true }),
      async finish(response, { rp }) {
        const result = await auth.passkey.verifyRegistration({ response, automatic: true })
        if (orphaned.includes(result.error?.code ?? '')) void signalUnknown(rp.id, response.id)
        return result
      },
      explain,
    },
    signal,
  )

/** Errors after which the server has certainly not stored the passkey. */
const orphaned = [
  'AUTHENTICATOR_NOT_ALLOWED',
  'CHALLENGE_NOT_FOUND',
  'FAILED_TO_VERIFY_REGISTRATION',
  'TOO_MANY_PASSKEYS',
]

/** Maps an error of the browser during registration to a code. */
export function explain(thrown: unknown, late: boolean): AuthError {
  if (late) return problem('CEREMONY_TIMED_OUT', 'registration cancelled')
  const code = codeOf(thrown)
  if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') return problem(code, 'previously registered')
  if (code === 'ERROR_CEREMONY_ABORTED') return problem(code, 'registration cancelled')
  if (code) return problem(code, (thrown as Error).message)
  if (!globalThis.PublicKeyCredential) return problem('WEBAUTHN_NOT_SUPPORTED', (thrown as Error).message, 500)
  return problem('UNEXPECTED', thrown instanceof Error ? thrown.message : 'unknown error', 500)
}
