import type { Brand } from '../kit/brand.ts'
import { looks } from '../kit/looks.ts'

export const plainBrand: Brand = {
  name: 'Gatehouse',
  logo: null,
  favicon: null,
  accent: { light: '#2350c0', dark: '#9dbcff' },
  colours: looks.plain.colours,
  theme: 'system',
  themeIsFixed: false,
  corners: [8, 14],
  font: null,
  terms: null,
  privacy: null,
  support: null,
  texts: {},
  languages: ['en'],
}
