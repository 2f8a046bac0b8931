import { auth } from '../../lib/api.ts'
import type { SignInAnswer } from '../../lib/auth/endpoints.ts'
import type { AuthError, Result } from '../../lib/auth/types.ts'
import { askedFor, ceremony, codeOf, problem } from './ceremony.ts'
import { signalUnknown } from './password-managers.ts'

/** Whether the browser can suggest passkeys in a field (`mediation: 'conditional'`). */
export async function canAutofill(): Promise<boolean> {
  const supported = globalThis.PublicKeyCredential?.isConditionalMediationAvailable
  return supported !== undefined && (await PublicKeyCredential.isConditionalMediationAvailable())
}

/**
 * Signs in with a passkey from the browser's dialog, or with `autofill` from the suggestions of the first field.
 * @throws Displaced
 */
export const signIn = (
  {
    autofill,
    callbackURL,
    only,
  }: {
    autofill: boolean
    callbackURL: string | undefined
    /** The id of the passkey of a known account, or null. */
    only?: Promise<string | null> | undefined
  },
  signal: AbortSignal,
): Promise<Result<SignInAnswer>> =>
  ceremony(
    {
      begin: () => auth.passkey.generateAuthenticateOptions({}, { method: 'POST' }),
      // A signed-in user may want another account: the request allows all passkeys.
      async perform(browser, { allowCredentials: _own, ...options }) {
        const id = (await only) ?? null
        const allowed = id === null ? {} : { allowCredentials: [{ id, type: 'public-key' as const }] }
        return browser.startAuthentication({ optionsJSON: { ...options, ...allowed }, useBrowserAutofill: autofill })
      },
      async finish(response, { rpId }) {
        const result = await auth.passkey.verifyAuthentication({ response, callbackURL })
        if (result.error?.code === 'PASSKEY_NOT_FOUND') void signalUnknown(rpId, response.id)
        return result as Result<SignInAnswer>
      },
      explain,
    },
    signal,
  )

export const signInByButton = (
  callbackURL: string | undefined,
  only?: Promise<string | null>,
): Promise<Result<SignInAnswer>> => askedFor((signal) => signIn({ autofill: false, callbackURL, only }, signal))

/** The passkey that a sign-in with a password waits for. */
export const giveSecondFactor = (wishes: {
  trustDevice: boolean
  callbackURL: string | undefined
}): Promise<Result<SignInAnswer>> =>
  askedFor((signal) =>
    ceremony(
      {
        begin: () => auth.passkey.secondFactorOptions(),
        perform: (browser, optionsJSON) => browser.startAuthentication({ optionsJSON }),
        finish: async (response) =>
          (await auth.passkey.verifySecondFactor({ response, ...wishes })) as Result<SignInAnswer>,
        explain,
      },
      signal,
    ),
  )

// The browser does not distinguish a cancelled dialog from a missing passkey; other errors keep their code.
export function explain(thrown: unknown, late: boolean): AuthError {
  if (late) return problem('CEREMONY_TIMED_OUT', 'auth cancelled')
  const code = codeOf(thrown)
  if (code && code !== 'ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY') return problem(code, 'auth cancelled')
  return problem(globalThis.PublicKeyCredential ? 'AUTH_CANCELLED' : 'WEBAUTHN_NOT_SUPPORTED', 'auth cancelled')
}
