import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { type CallError, sentenceOf } from '@/lib/auth-errors'

export type Values = Record<string, string>

/** Sentences by the name of their field; the empty name is that of the form. */
export type Problems = Record<string, string | undefined>

export interface FormOptions {
  /** Sentences for fields that the user must correct before the call. */
  check?(values: Values): Problems
  /** The call. It can throw where the network fails. @returns its error */
  send(values: Values): Promise<{ error: CallError | null }>
  /** The field that shows an error code. */
  at?: Record<string, string>
  done?(values: Values): void
}

/**
 * A form with uncontrolled fields, so that password managers fill it. After a failure the first field with an error has
 * the focus, or the sentence above the button.
 */
export function useAuthForm({ check, send, at = {}, done }: FormOptions) {
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const [problems, setProblems] = useState<Problems>({})
  const [failure, setFailure] = useState<CallError | null>(null)
  const [pending, setPending] = useState(false)

  useEffect(() => {
    if (isEmpty(problems)) return
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [role="alert"]')?.focus()
  }, [problems])

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (pending) return
    const values: Values = {}
    for (const [name, value] of new FormData(event.currentTarget)) values[name] = String(value)
    const found = check?.(values) ?? {}
    setProblems(found)
    setFailure(null)
    if (!isEmpty(found)) return
    setPending(true)
    const { error } = await send(values).catch(() => ({ error: { status: 0 } as CallError }))
    setPending(false)
    if (!error) return done?.(values)
    setFailure(error)
    setProblems({ [at[error.code ?? ''] ?? '']: sentenceOf(error) })
  }

  return {
    pending,
    /** The error of the last call. */
    failure,
    /** The sentence that belongs to no field. */
    problem: problems[''],
    props: { ref: form, onSubmit, noValidate: true },
    field: (name: string) => ({ id: `${id}-${name}`, name, problem: problems[name] }),
  }
}

const isEmpty = (problems: Problems) => !Object.values(problems).some(Boolean)

export const emailProblem = (email = '') =>
  /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(email.trim()) ? undefined : 'Enter a valid email address.'
