import { auth } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import type { CallOptions, Result } from '../../lib/auth/types.ts'
import { askedFor, ceremony } from './ceremony.ts'
import { signalUnknown } from './password-managers.ts'
import { explain } from './register.ts'

interface NewPerson {
  name: string
  email: string
  callbackURL: string | undefined
}

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
          // The authenticator has created a passkey without an account.
          if (result.error && result.error.status < 500) void signalUnknown(rp.id, response.id)
          return result
        },
        explain,
      },
      signal,
    ),
  )
