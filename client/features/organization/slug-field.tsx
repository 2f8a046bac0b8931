import { useEffect, useState } from 'react'
import { auth } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Field } from '../../ui/field.tsx'
import { createTexts } from './create.texts.ts'

/** Converts a name to a slug: "Zoë & Söhne" becomes "zoe-sohne". */
export const slugOf = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, 48)
    .replace(/^-|-$/g, '')

export const isSlug = (text: string): boolean => /^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(text)

type Found = 'checking' | 'free' | 'taken'

/** Checks whether a slug is free after typing stops. A late answer for another text is ignored. */
function useFree(slug: string, own: string | undefined): Found | null {
  const [answer, setAnswer] = useState<{ slug: string; found: Found } | null>(null)
  useEffect(() => {
    if (slug === own || !isSlug(slug)) return
    const timer = setTimeout(async () => {
      const { error } = await auth.organization.checkSlug({ slug })
      if (!error || error.code === 'SLUG_IS_TAKEN') setAnswer({ slug, found: error ? 'taken' : 'free' })
    }, 350)
    return () => clearTimeout(timer)
  }, [slug, own])
  if (slug === own || !isSlug(slug)) return null
  return answer?.slug === slug ? answer.found : 'checking'
}

interface SlugFieldProps {
  name: string
  error: string | undefined
  value: string
  onValue(value: string): void
  own?: string
}

/** The short name, with a live check. The server decides when the form is sent. */
export function SlugField({ name, error, value, onValue, own }: SlugFieldProps) {
  const t = useTexts(createTexts)
  const found = useFree(value, own)
  const messages = { checking: t.slugChecking, free: t.slugFree, taken: t.slugTaken }
  return (
    <div className="grid gap-1.5">
      <Field
        name={name}
        label={t.slug}
        hint={!error && t.slugHint}
        error={error}
        value={value}
        maxLength={64}
        onChange={(event) => onValue(event.target.value)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <p role="status" className={found === 'taken' ? 'text-danger' : found === 'free' ? 'text-success' : 'text-soft'}>
        {!error && found && messages[found]}
      </p>
    </div>
  )
}
