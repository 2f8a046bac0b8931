import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, type KeyboardEvent, useState } from 'react'
import { createPortal } from 'react-dom'
import { lengthOf } from '../../worker/kit/text-length.ts'
import { cx } from '../lib/cx.ts'
import { useTexts } from '../lib/texts/texts.ts'
import { type ControlProps, FieldFrame, type FieldFrameProps } from './field.tsx'

export interface PasswordFieldProps
  extends FieldFrameProps,
    Omit<ComponentProps<'input'>, 'type' | 'className' | 'autoComplete'> {
  /** `new` for a password that is being chosen: password managers suggest one. */
  kind: 'current' | 'new'
  /** Shows the strength of a new password; `min` is the server's minimum length. */
  strength?: { min: number }
}

export function PasswordField(props: PasswordFieldProps) {
  const { label, hint, error, optional, aside, className, kind, strength, onChange, ...input } = props
  const t = useTexts()
  const [box, setBox] = useState<HTMLDivElement | null>(null)
  const [revealed, setRevealed] = useState(false)
  const [capsLock, setCapsLock] = useState(false)
  const [typed, setTyped] = useState('')
  const watchCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  // The strength replaces the hint; an error replaces both.
  const measured = strength !== undefined && typed !== ''
  return (
    <div className={cx('field grid gap-1.5', className)}>
      <FieldFrame {...{ label, hint: measured ? undefined : hint, error, optional, aside }}>
        {(control) => (
          <div ref={setBox} className="relative" style={box ? { anchorName: anchorOf(control) } : undefined}>
            <input
              {...input}
              {...control}
              type={revealed ? 'text' : 'password'}
              autoComplete={`${kind}-password`}
              autoCapitalize="none"
              spellCheck={false}
              onKeyDown={watchCapsLock}
              onKeyUp={watchCapsLock}
              onBlur={() => setCapsLock(false)}
              onChange={(event) => {
                setTyped(event.target.value)
                onChange?.(event)
              }}
              className="control pe-11"
            />
            {box &&
              createPortal(
                <Reveal control={control} revealed={revealed} onClick={() => setRevealed(!revealed)} />,
                endOfForm(box) ?? box,
              )}
          </div>
        )}
      </FieldFrame>
      <p role="status" className={capsLock ? 'text-soft' : 'sr-only'}>
        {capsLock && t.capsLock}
      </p>
      {measured && !error && <Strength text={typed} min={strength.min} />}
    </div>
  )
}

const anchorOf = ({ id }: ControlProps) => `--${id}`

/**
 * The Tab key goes through the fields to the button, and then to the reveal button. It is the last element of its form,
 * and CSS anchor positioning places it over its field. Other browsers keep it in the field.
 */
const endOfForm = (box: HTMLElement) => (CSS.supports('top: anchor(top)') ? box.closest('form') : null)

interface RevealProps {
  control: ControlProps
  revealed: boolean
  onClick(): void
}

function Reveal({ control, revealed, onClick }: RevealProps) {
  const t = useTexts()
  const Icon = revealed ? EyeOff : Eye
  return (
    <button
      type="button"
      aria-label={t.showPassword}
      aria-describedby={`${control.id}-label`}
      aria-controls={control.id}
      aria-pressed={revealed}
      title={t.showPassword}
      onClick={onClick}
      className="reveal grid w-10 place-items-center rounded text-soft hover:text-ink"
      style={{ positionAnchor: anchorOf(control) }}
    >
      <Icon aria-hidden size={18} />
    </button>
  )
}

const bars = { short: 1, weak: 1, fair: 2, strong: 3 } as const

function Strength({ text, min }: { text: string; min: number }) {
  const t = useTexts().strength
  const level = strengthOf(text, min)
  return (
    <div className="flex items-center gap-3 text-soft">
      <div aria-hidden className="flex w-16 flex-none gap-1">
        {[1, 2, 3].map((bar) => (
          <span
            key={bar}
            className={cx(
              'h-1 flex-1 rounded-full',
              bar > bars[level]
                ? 'bg-line'
                : level === 'strong'
                  ? 'bg-success'
                  : level === 'fair'
                    ? 'bg-warning'
                    : 'bg-danger',
            )}
          />
        ))}
      </div>
      <span role="status">
        <span className="sr-only">{t.label}: </span>
        {level === 'short' ? t.short(min) : t[level]}
      </span>
    </div>
  )
}

/**
 * A rough measure that rewards length: the bits of the used kinds of characters. A character that repeats or continues
 * the previous one counts little.
 */
export function strengthOf(text: string, min: number): keyof typeof bars {
  if (lengthOf(text) < min) return 'short'
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/].filter((kind) => kind.test(text)).length
  let length = 0
  for (let at = 0; at < text.length; at += 1) {
    const step = Math.abs(text.charCodeAt(at) - (at > 0 ? text.charCodeAt(at - 1) : Number.NaN))
    length += step <= 1 ? 0.25 : 1
  }
  const bits = length * (kinds === 1 ? 4 : kinds === 2 ? 4.8 : 5.4)
  return bits < 42 ? 'weak' : bits < 64 ? 'fair' : 'strong'
}
