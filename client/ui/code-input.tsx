import { useEffect, useRef, useState } from 'react'
import { codeIn } from '../lib/code-in.ts'
import { cx } from '../lib/cx.ts'
import { FieldFrame, type FieldFrameProps } from './field.tsx'

/** What takes a paste itself. */
const editable = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]'

interface CodeInputProps extends FieldFrameProps {
  name?: string
  length?: number
  busy?: boolean
  autoFocus?: boolean
  /** Called when the last digit is entered, and again only after a change. */
  onComplete(code: string): void
}

/**
 * A one-time code: one input, for pasting, autofill and screen readers, in front of painted boxes. "123 456" and
 * "123-456" are accepted.
 */
export function CodeInput({ name = 'code', length = 6, busy, autoFocus, onComplete, ...frame }: CodeInputProps) {
  const [code, setCode] = useState('')
  const [focused, setFocused] = useState(false)
  const sent = useRef('')

  function change(text: string) {
    const digits = text.replace(/\D/g, '').slice(0, length)
    setCode(digits)
    if (digits.length < length) sent.current = ''
    else if (digits !== sent.current) {
      sent.current = digits
      onComplete(digits)
    }
  }

  const input = useRef<HTMLInputElement>(null)
  const paste = useRef<(event: ClipboardEvent) => void>(() => {})
  paste.current = (event) => {
    const into = event.composedPath()[0]
    const isElsewhere = into instanceof HTMLElement && into !== input.current && into.matches(editable)
    const pasted = codeIn(event.clipboardData?.getData('text') ?? '', length)
    if (busy || isElsewhere || event.defaultPrevented || pasted === null || !input.current?.checkVisibility()) return
    event.preventDefault()
    input.current.focus()
    change(pasted)
  }
  // A code may be pasted anywhere on the page, with the message that contains it.
  useEffect(() => {
    const listen = (event: ClipboardEvent) => paste.current(event)
    document.addEventListener('paste', listen)
    return () => document.removeEventListener('paste', listen)
  }, [])

  return (
    <FieldFrame {...frame}>
      {(control) => (
        <div className="relative w-full">
          <div aria-hidden className="grid auto-cols-fr grid-flow-col gap-2">
            {Array.from({ length }, (_, index) => (
              <span
                // biome-ignore lint/suspicious/noArrayIndexKey: a box is its position
                key={index}
                className={cx(
                  'grid h-12 place-items-center rounded border bg-surface text-xl font-medium tabular-nums',
                  focused && index === Math.min(code.length, length - 1)
                    ? 'border-accent outline-2 outline-accent'
                    : frame.error
                      ? 'border-danger'
                      : 'border-edge',
                )}
              >
                {code[index]}
              </span>
            ))}
          </div>
          <input
            {...control}
            ref={input}
            name={name}
            value={code}
            readOnly={busy}
            // biome-ignore lint/a11y/noAutofocus: the code is the only thing to be done on its screen
            autoFocus={autoFocus}
            inputMode="numeric"
            autoComplete="one-time-code"
            spellCheck={false}
            onChange={(event) => change(event.target.value)}
            onFocus={() => setFocused(true)}
            onBlur={() => setFocused(false)}
            // The boxes show no caret: text is always appended.
            onSelect={({ currentTarget: input }) => {
              if (input.selectionStart === input.selectionEnd) input.setSelectionRange(code.length, code.length)
            }}
            className="absolute inset-0 w-full rounded opacity-0"
          />
        </div>
      )}
    </FieldFrame>
  )
}
