import type { ComponentProps } from 'react'

type Part = ComponentProps<'div'>

export const Card = ({ className = '', ...props }: Part) => (
  <div {...props} className={`flex flex-col gap-6 rounded-xl border bg-card py-6 ${className}`} />
)
export const CardHeader = (props: Part) => <div {...props} className="grid gap-1.5 px-6" />
export const CardTitle = (props: Part) => <div {...props} className="font-semibold" />
export const CardDescription = (props: Part) => <div {...props} className="text-muted-foreground text-sm" />
export const CardContent = ({ className = '', ...props }: Part) => <div {...props} className={`px-6 ${className}`} />
