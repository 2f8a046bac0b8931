import { type ComponentProps, useEffect, useState } from 'react'
import { auth, useConfig } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Field } from '../../ui/field.tsx'
import { usernameTexts } from './texts.ts'

type UsernameFieldProps = Pick<ComponentProps<typeof Field>, 'name' | 'error' | 'defaultValue' | 'className'> & {
  /** The user's own name counts as free. */
  own?: string | null
}

const pause = 400

type Check = { name: string; free: boolean } | null

/** Checks whether a name is free after typing stops. Without an answer the field shows nothing. */
function useCheck(name: string, wellFormed: boolean): Check {
  const [check, setCheck] = useState<Check>(null)
  useEffect(() => {
    if (!wellFormed) return
    let here = true
    const timer = setTimeout(async () => {
      const { data } = await auth.isUsernameAvailable({ username: name })
      if (here && data) setCheck({ name, free: data.available })
    }, pause)
    return () => {
      here = false
      clearTimeout(timer)
    }
  }, [name, wellFormed])
  return wellFormed && check?.name === name ? check : null
}

/** A username, with a live check of its form and availability. */
export default function UsernameField({ own, error, ...input }: UsernameFieldProps) {
  const t = useTexts(usernameTexts)
  const { usernameLength: { min, max } = { min: 3, max: 30 } } = useConfig()
  const [name, setName] = useState('')
  const isOwn = name.toLowerCase() === own?.toLowerCase()
  const wellFormed = /^[\w.]+$/.test(name) && name.length >= min && name.length <= max && !isOwn
  const check = useCheck(name, wellFormed)
  const wrong = name !== '' && !/^[\w.]+$/.test(name) ? t.invalid : check && !check.free ? t.taken : undefined
  return (
    <div aria-live="polite">
      <Field
        {...input}
        label={t.title}
        optional
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={max}
        onChange={(event) => setName(event.target.value)}
        error={error ?? wrong}
        hint={check?.free ? <span className="text-success">{t.free(name)}</span> : !wrong && t.hint(min, max)}
      />
    </div>
  )
}
