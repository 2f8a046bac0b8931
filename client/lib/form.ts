import { type FormEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { AuthError, Result } from './auth/types.ts'
import { messageOf, type Texts, useTexts } from './texts/texts.ts'
import { setUnsaved } from './unsaved.ts'

export interface FormOptions<Name extends string, Answer> {
  fields: readonly Name[]
  /** Client-side validation: a message for each invalid field. */
  check?(values: Values<Name>): Partial<Record<Name, string | undefined | false>>
  send(values: Values<Name>): Promise<Result<Answer>>
  done(answer: Answer, values: Values<Name>): void
  /** The field that shows an error code; other errors appear above the button. */
  at?: Record<string, Name>
  /** The feature's own messages by code. */
  errors?: Record<string, string>
  /** Handles an error before it is shown; `true` means that it is handled. */
  refused?(error: AuthError, values: Values<Name>): boolean | undefined
  /** Asks before the page is left with unsaved input. */
  guard?: boolean
}

/** Text fields by name; a checkbox is 'on' or ''. */
export type Values<Name extends string> = Record<Name, string>

export interface Form<Name extends string = string> {
  props: {
    ref: RefObject<HTMLFormElement | null>
    /** Sends nothing before the app has loaded, so that a password never appears in a URL. */
    method: 'dialog'
    noValidate: true
    onSubmit(event: FormEvent): void
    onInput(event: FormEvent): void
  }
  field(name: Name): { name: Name; error: string | undefined }
  busy: boolean
  problem: AuthError | null
  message: string | null
  /** When a 429 ends, in epoch milliseconds. */
  blockedUntil: number | null
  reset(): void
}

/**
 * A form that is sent to the server. The browser holds the values, so that password managers work. The hook holds the
 * errors: each message at its field, the focus on the first one, other errors above the button.
 */
export function useForm<const Name extends string, Answer>(options: FormOptions<Name, Answer>): Form<Name> {
  const texts = useTexts()
  const ref = useRef<HTMLFormElement>(null)
  const [busy, setBusy] = useState(false)
  const [errors, setErrors] = useState<Partial<Record<Name, string>>>({})
  const [problem, setProblem] = useState<AuthError | null>(null)
  const [blockedUntil, setBlockedUntil] = useState<number | null>(null)

  // Only a rejection moves the focus; a message that disappears during typing does not.
  const wantsFocus = useRef(false)
  useEffect(() => {
    if (!wantsFocus.current || Object.keys(errors).length === 0) return
    wantsFocus.current = false
    ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [errors])

  function refuse(error: AuthError, values: Values<Name>) {
    if (options.refused?.(error, values)) return
    const found: Partial<Record<Name, string>> = {}
    for (const { path, message } of error.issues ?? []) {
      const name = path.split('.')[0] as Name
      if (options.fields.includes(name)) found[name] ??= message
    }
    const field = options.at?.[error.code ?? '']
    if (field) found[field] ??= messageOf(error, texts, options.errors)
    if (Object.keys(found).length > 0) {
      wantsFocus.current = true
      setErrors(found)
    } else {
      setProblem(error)
      if (error.status === 429) setBlockedUntil(Date.now() + (error.retryAfter ?? 10) * 1000)
    }
  }

  // Runs before effects of the next screen, which may navigate.
  useLayoutEffect(() => () => setUnsaved(ref, false), [])

  // Submitted before the app has loaded (app/before-paint.js).
  useEffect(() => {
    const form = ref.current
    if (!form || form.dataset.sent === undefined) return
    delete form.dataset.sent
    form.requestSubmit()
  }, [])

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (busy || !ref.current || (blockedUntil ?? 0) > Date.now()) return
    const data = new FormData(ref.current)
    const values = Object.fromEntries(
      options.fields.map((name) => [name, String(data.get(name) ?? '')]),
    ) as Values<Name>
    setProblem(null)
    const checked = Object.entries(options.check?.(values) ?? {}).filter(([, message]) => message)
    wantsFocus.current = checked.length > 0
    setErrors(Object.fromEntries(checked) as Partial<Record<Name, string>>)
    if (checked.length > 0) return
    setBusy(true)
    const { data: answer, error } = await options.send(values)
    setBusy(false)
    if (error) refuse(error, values)
    else {
      setUnsaved(ref, false)
      options.done(answer as Answer, values)
    }
  }

  return {
    props: {
      ref,
      method: 'dialog',
      noValidate: true,
      onSubmit: (event) => void submit(event),
      onInput(event) {
        const { name } = event.target as HTMLInputElement
        if (options.guard && ref.current) setUnsaved(ref, isChanged(ref.current))
        if (!(name in errors)) return
        const { [name as Name]: _gone, ...rest } = errors
        setErrors(rest as Partial<Record<Name, string>>)
      },
    },
    field: (name) => ({ name, error: errors[name] }),
    busy,
    problem,
    message: problem && messageOf(problem, texts, options.errors),
    blockedUntil,
    reset() {
      ref.current?.reset()
      setUnsaved(ref, false)
      setErrors({})
      setProblem(null)
    },
  }
}

const isChanged = (form: HTMLFormElement): boolean =>
  [...form.querySelectorAll<HTMLInputElement>('input, textarea')].some((input) =>
    input.type === 'checkbox' ? input.checked !== input.defaultChecked : input.value !== input.defaultValue,
  )

/** A simple check; the server decides. */
export const looksLikeEmail = (text: string): boolean => /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text.trim())

export const emailProblem = (email: string, texts: Texts): string | false =>
  !email.trim() ? texts.required.email : !looksLikeEmail(email) && texts.invalidEmail
