import { defineFeature } from '../../http/feature.ts'
import { brandOptions } from './brand.config.ts'
import { brandRoutes } from './brand.routes.ts'
import { publicBrand } from './brand.ts'

export const brand = defineFeature({
  name: 'brand',
  routes: brandRoutes,
  options: brandOptions,
  publicConfiguration: publicBrand,
})
