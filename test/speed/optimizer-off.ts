/** Settings of the performance service with which pages stay as the theme makes them. */
export const OPTIMIZER_OFF = {
  ...{ minifyHtml: 'off', minifyCss: 'off', minifyJs: 'off', deferJs: 'off', inlineCriticalCss: 'off' },
  ...{ lazyImages: 'off', imageFormats: [], fontDisplaySwap: 'off', selfHostFonts: 'off', preloadLinks: 'off' },
  ...{ speculationRules: 'off', cdnUrl: '' },
}
