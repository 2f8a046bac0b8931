import { useEffect, useRef } from 'react'
import { useConfig } from '../lib/api.ts'
import { looksLikeEmail } from '../lib/form.ts'
import { useLanguage, useTexts } from '../lib/texts/texts.ts'
import { typed } from '../lib/typed.ts'
import type { Identifier } from '../lib/ways.ts'
import { Field } from '../ui/field.tsx'
import { identifierLabel, signInTexts } from './sign-in.texts.ts'
import { identifiers } from './slots.ts'

/** What the first field accepts: an email address, and what features add. */
export function useIdentifier(): { kinds: Identifier[]; problem(text: string): string | false } {
  const t = useTexts(signInTexts)
  const { features } = useConfig()
  const kinds = identifiers.filter((kind) => kind.when(features))
  return {
    kinds,
    problem(text) {
      if (!text.trim()) return kinds.length > 0 ? t.required.any : t.required.email
      return kinds.length === 0 && !looksLikeEmail(text) && t.invalidEmail
    },
  }
}

/** The first field of the sign-in, which offers passkeys too. */
export function IdentifierField(field: { name: string; error: string | undefined }) {
  const t = useTexts(signInTexts)
  const language = useLanguage()
  const { kinds } = useIdentifier()
  const ref = useRef<HTMLInputElement>(null)
  // What was typed before the app has loaded.
  useEffect(() => typed.set(ref.current!.value), [])
  return (
    <Field
      ref={ref}
      {...field}
      label={identifierLabel(
        t,
        kinds.map(({ noun }) => noun),
        language,
      )}
      type={kinds.length > 0 ? 'text' : 'email'}
      autoComplete="username webauthn"
      autoCapitalize="none"
      spellCheck={false}
      defaultValue={typed.any()}
      onChange={(event) => typed.set(event.target.value)}
    />
  )
}
