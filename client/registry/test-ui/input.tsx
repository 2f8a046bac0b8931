import type { ComponentProps } from 'react'

export function Input({ className = '', ...props }: ComponentProps<'input'>) {
  return <input {...props} className={`h-9 w-full rounded-md border bg-background px-3 ${className}`} />
}
