import type { ElementKind } from '../../../worker/kit/embedded-elements.ts'
import type { GatehouseProviderProps } from '../components/shared.ts'

export interface EmbeddedElement extends HTMLElement {
  readonly kind: ElementKind
  /** The attributes that are properties of the component. */
  readonly names: readonly string[]
}

export type EmbedSettings = Pick<GatehouseProviderProps, 'appearance' | 'localization' | 'navigate' | 'pages'>
