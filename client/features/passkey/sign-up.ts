import { auth } from '../../lib/api.ts'
import type { AnswerOf, CallOptions, Result } from '../../lib/auth/types.ts'
import { askedFor, ceremony } from './ceremony.ts'
import { signalUnknown } from './password-managers.ts'
import { explain } from './register.ts'

interface NewPerson {
  name: string
  email: string
  callbackURL: string | undefined
}

/** Makes a passkey for somebody new, and their account with it. */
export const signUpByPasskey = (
  person: NewPerson,
  options: CallOptions,
): Promise<Result<AnswerOf<'/sign-up/passkey'>>> =>
  askedFor((signal) =>
    ceremony(
      {
        begin: () => auth.passkey.generateSignUpOptions({ email: person.email }),
        perform: (browser, asked) => browser.startRegistration({ optionsJSON: asked }),
        async finish(response, { rp }) {
          const result = await auth.signUp.passkey({ ...person, response }, options)
          // The authenticator has made a passkey for an account that there is not.
          if (result.error && result.error.status < 500) void signalUnknown(rp.id, response.id)
          return result
        },
        explain,
      },
      signal,
    ),
  )
