import type { ComponentProps } from 'react'

export function Label(props: ComponentProps<'label'> & { htmlFor: string }) {
  // biome-ignore lint/a11y/noLabelWithoutControl: htmlFor names the control
  return <label {...props} className="text-sm font-medium" />
}
