import type { ComponentProps } from 'react'

export const Avatar = (props: ComponentProps<'span'>) => (
  <span {...props} className="relative flex size-8 overflow-hidden rounded-full" />
)
export const AvatarImage = ({ alt, ...props }: ComponentProps<'img'>) => (
  <img {...props} alt={alt} className="size-full" />
)
export const AvatarFallback = (props: ComponentProps<'span'>) => (
  <span {...props} className="flex size-full items-center justify-center bg-muted" />
)
