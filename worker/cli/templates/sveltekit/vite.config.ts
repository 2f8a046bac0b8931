import adapter from '@sveltejs/adapter-node'
import { sveltekit } from '@sveltejs/kit/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  // The origin of the product is part of the build.
  plugins: [sveltekit({ adapter: adapter(), paths: { origin: process.env.ORIGIN ?? 'http://localhost:3000' } })],
})
