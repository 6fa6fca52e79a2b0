/** Rule 1 of the architecture: arrows point down. */
module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'core-knows-nothing-above',
      severity: 'error',
      from: { path: '^core/' },
      to: { path: '^(cli|plugins|extensions|admin)/' },
    },
    {
      name: 'plugins-import-the-public-face-only',
      severity: 'error',
      from: { path: '^(plugins|extensions)/([^/]+)' },
      to: { path: '^(core/(?!(index|testing/index)\\.ts$)|cli/|admin/)' },
    },
    {
      name: 'plugins-meet-in-hooks-only',
      severity: 'error',
      from: { path: '^(plugins|extensions)/([^/]+)' },
      to: { path: '^(plugins|extensions)/', pathNot: '^$1/$2' },
    },
    {
      name: 'only-the-host-puts-parts-together',
      severity: 'error',
      from: { path: '^core/(?!host\\.ts$|serve\\.ts$|index\\.ts$|testing/)' },
      to: { path: '^core/(host|index)\\.ts$' },
    },
    {
      name: 'no-test-code-in-the-product',
      severity: 'error',
      from: { path: '^(core|cli|plugins|extensions)/', pathNot: '(\\.test\\.ts$|^core/testing/)' },
      to: { path: '^(test|bench)/' },
    },
    { name: 'not-resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'no-development-package-in-the-product',
      severity: 'error',
      from: { path: '^(core|cli|plugins|extensions)/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
}
