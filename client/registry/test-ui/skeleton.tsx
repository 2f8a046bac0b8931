import type { ComponentProps } from 'react'

export const Skeleton = ({ className = '', ...props }: ComponentProps<'div'>) => (
  <div {...props} className={`rounded-md bg-muted ${className}`} />
)
