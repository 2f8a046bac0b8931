import type { ComponentProps } from 'react'
import { Input } from '@/components/ui/input'
import { Label } from '@/components/ui/label'

export interface AuthFieldProps extends ComponentProps<typeof Input> {
  id: string
  label: string
  hint?: string
  problem?: string | undefined
}

/** A field with its label, a hint, and the sentence of its error. */
export function AuthField({ id, label, hint, problem, ...input }: AuthFieldProps) {
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')
  return (
    <div className="grid gap-2">
      <Label htmlFor={id}>{label}</Label>
      <Input
        id={id}
        aria-invalid={problem ? true : undefined}
        aria-describedby={described || undefined}
        required
        {...input}
      />
      {hint && (
        <p id={`${id}-hint`} className="text-muted-foreground text-sm">
          {hint}
        </p>
      )}
      {problem && (
        <p id={`${id}-problem`} className="text-destructive text-sm">
          {problem}
        </p>
      )}
    </div>
  )
}

/** The sentence of an error that belongs to no field. */
export function AuthProblem({ children }: { children: string | undefined }) {
  if (!children) return null
  return (
    <p role="alert" tabIndex={-1} className="text-destructive text-sm outline-none">
      {children}
    </p>
  )
}
