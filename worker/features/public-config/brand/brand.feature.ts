import { defineFeature } from '../../../http/feature.ts'
import { brandOptions } from './brand.config.ts'
import { fontSource, publicBrand } from './brand.ts'

export const brand = defineFeature({
  name: 'brand',
  options: brandOptions,
  publicConfiguration: publicBrand,
  contentSources: fontSource,
  endpoints: async () => (await import('./brand.endpoints.ts')).brandEndpoints,
})
