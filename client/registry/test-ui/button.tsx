import type { ComponentProps } from 'react'

interface Look {
  variant?: 'default' | 'outline' | 'secondary' | 'ghost' | 'destructive' | 'link' | null
  size?: 'default' | 'sm' | 'lg' | 'icon' | null
}

const looks = {
  default: 'bg-primary text-primary-foreground',
  outline: 'border bg-background',
  secondary: 'bg-secondary',
  ghost: '',
  destructive: 'bg-destructive text-white',
  link: 'underline',
}

export function buttonVariants({ variant, size, className = '' }: Look & { className?: string } = {}): string {
  const width = size === 'icon' ? 'size-9' : 'h-9 px-4'
  return `inline-flex items-center justify-center rounded-md text-sm font-medium ${width} ${looks[variant ?? 'default']} ${className}`
}

export function Button({
  variant,
  size,
  className,
  ...props
}: ComponentProps<'button'> & Look & { asChild?: boolean }) {
  return <button {...props} className={buttonVariants({ variant, size, className })} />
}
