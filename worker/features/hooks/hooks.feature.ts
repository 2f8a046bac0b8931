import { defineFeature } from '../../http/feature.ts'
import { hookOptions, hooksAreOn } from './hooks.config.ts'

export const hooks = defineFeature({ name: 'hooks', options: hookOptions, on: hooksAreOn })
