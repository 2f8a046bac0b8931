import { type ComponentProps, type ReactNode, useId } from 'react'
import { cx } from '../lib/cx.ts'
import { useTexts } from '../lib/texts/texts.ts'

export interface FieldFrameProps {
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
  /** Shows "optional" next to the label. Required fields have no mark. */
  optional?: boolean
  /** At the end of the label's line: a link such as "Forgot password?". */
  aside?: ReactNode
  className?: string
}

export interface ControlProps {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

/** Label, hint and error around a control, connected for screen readers. */
export function FieldFrame({
  label,
  hint,
  error,
  optional,
  aside,
  className,
  children,
}: FieldFrameProps & { children: (control: ControlProps) => ReactNode }) {
  const t = useTexts()
  const id = useId()
  const describedBy = cx(error && `${id}-error`, hint && `${id}-hint`) || undefined
  return (
    <div className={cx('field grid gap-1.5', className)}>
      <div className="flex items-baseline justify-between gap-4">
        <label id={`${id}-label`} htmlFor={id} className="label font-medium">
          {label}
          {optional && <span className="font-normal text-soft"> ({t.optional})</span>}
        </label>
        {aside}
      </div>
      {children({ id, 'aria-invalid': error ? true : undefined, 'aria-describedby': describedBy })}
      {error && (
        <p id={`${id}-error`} className="text-danger">
          {error}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="text-soft">
          {hint}
        </p>
      )}
    </div>
  )
}

type FieldProps = FieldFrameProps & ComponentProps<'input'>

/** A text field. `<Field {...form.field('email')} label=… type="email" autoComplete="email" />` */
export function Field({ label, hint, error, optional, aside, className, ...input }: FieldProps) {
  return (
    <FieldFrame {...{ label, hint, error, optional, aside, className }}>
      {(control) => <input dir="auto" {...input} {...control} className="control" />}
    </FieldFrame>
  )
}

/** Attributes of an input for the text of machines, such as an address or a scope. */
export const machineText = { dir: 'ltr', autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const

/** Lines of such a text. */
export function MachineArea({ label, hint, error, optional, ...area }: FieldFrameProps & ComponentProps<'textarea'>) {
  return (
    <FieldFrame {...{ label, hint, error, optional }}>
      {(control) => <textarea {...machineText} {...area} {...control} className="control" />}
    </FieldFrame>
  )
}

type SelectProps = FieldFrameProps & ComponentProps<'select'>

export function SelectField({ label, hint, error, optional, aside, className, children, ...select }: SelectProps) {
  return (
    <FieldFrame {...{ label, hint, error, optional, aside, className }}>
      {(control) => (
        <select {...select} {...control} className="control">
          {children}
        </select>
      )}
    </FieldFrame>
  )
}

/** A checkbox that is sent with a form. */
export function Checkbox({ label, hint, ...input }: ComponentProps<'input'> & { label: ReactNode; hint?: ReactNode }) {
  const id = useId()
  return (
    <div className="grid grid-cols-[auto_1fr] items-start gap-x-2.5">
      <input
        {...input}
        id={id}
        type="checkbox"
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="mt-0.5 size-5"
      />
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} className="col-start-2 text-soft">
          {hint}
        </p>
      )}
    </div>
  )
}
