import type { ComponentProps } from 'react'

export function Badge({
  variant,
  ...props
}: ComponentProps<'span'> & { variant?: 'default' | 'secondary' | 'destructive' | 'outline' | null }) {
  return <span {...props} data-variant={variant} className="rounded-md bg-secondary px-2 py-0.5 text-xs" />
}
