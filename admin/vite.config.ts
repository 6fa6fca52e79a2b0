import react from '@vitejs/plugin-react'
import mantine from 'postcss-preset-mantine'
import { defineConfig } from 'vite'
import { compressAssets } from './compress.ts'

/** The host renders the page and finds the files in the manifest: `cms/admin`. */
export default defineConfig({
  base: '/wp-admin/',
  plugins: [react(), compressAssets()],
  css: { postcss: { plugins: [mantine()] } },
  build: {
    target: 'es2022',
    manifest: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: { input: 'src/main.tsx' },
  },
})
