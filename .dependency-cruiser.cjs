/** Rule 1 of the architecture: arrows point down. */
module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'core-knows-nothing-above',
      severity: 'error',
      from: { path: '^core/' },
      to: { path: '^(cms|app|cli|plugins|extensions|admin)/' },
    },
    {
      name: 'cms-knows-nothing-above',
      severity: 'error',
      from: { path: '^cms/' },
      to: { path: '^(app|cli|plugins|extensions|admin)/' },
    },
    {
      name: 'plugins-import-the-public-face-only',
      severity: 'error',
      from: { path: '^(plugins|extensions)/([^/]+)' },
      to: { path: '^(core/|cms/|app/(?!(index|testing/index)\\.ts$)|cli/|admin/)', pathNot: '^cli/public\\.ts$' },
    },
    {
      name: 'cli-of-a-plugin-is-for-the-command-line',
      comment: 'Its commands, and the face that they import, would load all of the command line into a site.',
      severity: 'error',
      from: { path: '^(core|cms|app|plugins|extensions)/', pathNot: '^plugins/[^/]+/cli/' },
      to: { path: '^(cli/public\\.ts$|plugins/[^/]+/cli/)' },
    },
    {
      name: 'cli-names-no-plugin',
      comment: 'It finds their commands by folder: cli/plugin-commands.ts.',
      severity: 'error',
      from: { path: '^cli/' },
      to: { path: '^(plugins|extensions)/' },
    },
    {
      name: 'plugins-meet-in-hooks-only',
      severity: 'error',
      from: { path: '^(plugins|extensions)/([^/]+)' },
      to: { path: '^(plugins|extensions)/', pathNot: '^$1/$2' },
    },
    {
      name: 'only-the-app-puts-parts-together',
      severity: 'error',
      from: { path: '^(core|cms)/' },
      to: { path: '^core/host\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-test-code-in-the-product',
      severity: 'error',
      from: { path: '^(core|cms|app|cli|plugins|extensions)/', pathNot: '(\\.test\\.ts$|^app/testing/)' },
      to: { path: '^(test|bench)/' },
    },
    {
      name: 'admin-is-a-client-of-the-routes',
      severity: 'error',
      from: { path: '^admin/src/' },
      to: {
        path: '^(core|cms|app|cli|plugins|extensions|test|bench)/',
        pathNot: ['^(cms/admin/page-data|core/auth/security-log-entry)\\.ts$', '^cms/content/render/paragraphs\\.ts$'],
      },
    },
    {
      // But for how lines become paragraphs: the editor and the site must agree.
      name: 'admin-takes-types-of-the-page-only',
      severity: 'error',
      from: { path: '^admin/src/' },
      to: {
        path: '^(core|cms|app)/',
        pathNot: '^cms/content/render/paragraphs\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'parts-of-the-admin-know-no-screen',
      severity: 'error',
      from: { path: '^admin/src/(api|parts|settings)/' },
      to: { path: '^admin/src/(copilot|screens|shell)/' },
    },
    {
      name: 'screens-meet-at-their-doors-only',
      comment: 'Fields to choose one of theirs, how theirs are named, and where they are.',
      severity: 'error',
      from: { path: '^admin/src/screens/([^/]+)/' },
      to: {
        path: '^admin/src/screens/[^/]+/',
        pathNot: [
          '^admin/src/screens/$1/',
          '^admin/src/screens/content/types\\.ts$',
          '^admin/src/screens/media/(image-field|media-item|media-picker)\\.tsx?$',
          '^admin/src/screens/terms/(term-select|tree-order)\\.tsx?$',
          '^admin/src/screens/users/user-select\\.tsx$',
          '^admin/src/screens/[^/]+/(item-link|labels)\\.ts$',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    { name: 'not-resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'no-development-package-in-the-product',
      severity: 'error',
      from: { path: '^(core|cms|app|cli|plugins|extensions)/', pathNot: '\\.test\\.ts$' },
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
