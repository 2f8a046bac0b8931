import { type ComponentType, lazy } from 'react'
import type { FeatureSwitches } from './auth/endpoints.ts'

export interface Screen {
  /** With `:name` for a parameter; the screen reads it with wouter's useParams. */
  path: string
  /** `member` asks for a session first and shows the navigation. */
  frame: 'visitor' | 'member'
  component: ComponentType
  /** A screen of a capability that can be switched off. */
  when?(features: FeatureSwitches): boolean | undefined
}

type Load = () => Promise<{ default: ComponentType }>
type When = Screen['when']

/** A screen for everybody. Its code is loaded when it is visited. */
export const visitor = (path: string, load: Load, when?: When): Screen => ({
  path,
  frame: 'visitor',
  component: lazy(load),
  when,
})

/** A screen for whoever is signed in. */
export const member = (path: string, load: Load, when?: When): Screen => ({
  path,
  frame: 'member',
  component: lazy(load),
  when,
})
