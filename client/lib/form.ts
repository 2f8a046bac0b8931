import { type FormEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { AuthError, Result } from './auth/types.ts'
import { messageOf, useTexts } from './texts/texts.ts'
import { setUnsaved } from './unsaved.ts'

interface FormOptions<Name extends string, Answer> {
  fields: readonly Name[]
  /** What can be told without the server: a message for each field that will not do. */
  check?(values: Values<Name>): Partial<Record<Name, string | undefined | false>>
  send(values: Values<Name>): Promise<Result<Answer>>
  done(answer: Answer, values: Values<Name>): void
  /** The field at which an error's code is told; without one it stands above the button. */
  at?: Record<string, Name>
  /** A feature's own words for the codes it knows. */
  errors?: Record<string, string>
  /** Called with an error before it is shown; `true` means that it has been dealt with. */
  refused?(error: AuthError, values: Values<Name>): boolean | undefined
  /** Whoever leaves the page with something typed but not saved is asked first. */
  guard?: boolean
}

/** Text fields by name; a checkbox is 'on' or ''. */
export type Values<Name extends string> = Record<Name, string>

export interface Form<Name extends string = string> {
  /** For the `<form>` element. */
  props: {
    ref: RefObject<HTMLFormElement | null>
    noValidate: true
    onSubmit(event: FormEvent): void
    onInput(event: FormEvent): void
  }
  /** For a field of the kit: its name and what is wrong with it. */
  field(name: Name): { name: Name; error: string | undefined }
  busy: boolean
  /** What went wrong and belongs to no field. */
  problem: AuthError | null
  message: string | null
  /** When a 429 ends, in epoch milliseconds. */
  blockedUntil: number | null
  reset(): void
}

/**
 * A form that is sent to the server. The browser keeps the values (so password managers work); this keeps what is
 * wrong with them: each message at its field, the focus on the first, everything else above the button.
 */
export function useForm<const Name extends string, Answer>(options: FormOptions<Name, Answer>): Form<Name> {
  const texts = useTexts()
  const ref = useRef<HTMLFormElement>(null)
  const [busy, setBusy] = useState(false)
  const [errors, setErrors] = useState<Partial<Record<Name, string>>>({})
  const [problem, setProblem] = useState<AuthError | null>(null)
  const [blockedUntil, setBlockedUntil] = useState<number | null>(null)

  // Only a refusal moves the focus; a message that goes away while somebody types does not.
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

  // Before the next screen's own effects, which may lead elsewhere.
  useLayoutEffect(() => () => setUnsaved(ref, false), [])

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
  [...form.querySelectorAll<HTMLInputElement>('input')].some((input) =>
    input.type === 'checkbox' ? input.checked !== input.defaultChecked : input.value !== input.defaultValue,
  )

/** Enough to catch a slip; the server decides. */
export const looksLikeEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim())
