/** Packages that few sites use, loaded when they are used. Some of them are added by operators: `build/manifest.ts`. */
const OPTIONAL =
  '^node_modules/(@opentelemetry|@ai-sdk|ai|@aws-sdk/client-s3|@googleapis/drive|ioredis|ssh2-sftp-client|webdav)/'

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
      from: { path: '^(plugins|extensions)/([^/]+)', pathNot: '^plugins/[^/]+/admin/' },
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
      name: 'admin-of-a-plugin-imports-doors-of-the-shell-only',
      comment: 'What its screens are made of, and what it adds to the dashboard, the editor and fields for media.',
      severity: 'error',
      from: { path: '^plugins/[^/]+/admin/' },
      to: {
        path: '^(core|cms|app|cli|extensions|admin)/',
        pathNot: [
          '^admin/src/(plugins/define|i18n|page-data)\\.ts$',
          '^admin/src/(api|parts|settings)/',
          '^admin/src/screens/content/editor/(fields\\.ts|fields/(permalink|tag-input)\\.tsx)$',
          '^admin/src/screens/dashboard/card\\.tsx$',
          '^admin/src/screens/media/(image-field|media-item|media-picker)\\.tsx?$',
        ],
      },
    },
    {
      name: 'admin-of-a-plugin-is-a-client-of-its-routes',
      severity: 'error',
      from: { path: '^plugins/([^/]+)/admin/' },
      to: { path: '^plugins/', pathNot: '^plugins/$1/admin/' },
    },
    {
      name: 'admin-of-a-plugin-is-for-the-admin',
      comment: 'The shell finds it by folder: import.meta.glob in admin/src.',
      severity: 'error',
      from: { pathNot: '^(plugins/[^/]+/admin|test)/' },
      to: { path: '^plugins/[^/]+/admin/' },
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
        pathNot: ['^cms/(admin/page-data|accounts/security-log-entry)\\.ts$', '^cms/content/render/autop\\.ts$'],
      },
    },
    {
      // But for how lines become paragraphs: the editor and the site must agree.
      name: 'admin-takes-types-of-the-page-only',
      severity: 'error',
      from: { path: '^admin/src/' },
      to: {
        path: '^(core|cms|app)/',
        pathNot: '^cms/content/render/autop\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'parts-of-the-admin-know-no-screen',
      severity: 'error',
      from: { path: '^admin/src/(api|parts|settings)/' },
      to: { path: '^admin/src/(screens|shell)/' },
    },
    {
      name: 'screens-meet-at-their-doors-only',
      comment: 'Fields to choose one of theirs, how theirs are named, and where they are; the editor of blocks.',
      severity: 'error',
      from: { path: '^admin/src/screens/([^/]+)/' },
      to: {
        path: '^admin/src/screens/[^/]+/',
        pathNot: [
          '^admin/src/screens/$1/',
          '^admin/src/screens/content/(types\\.ts|editor/text/text-field\\.tsx)$',
          '^admin/src/screens/menus/menu\\.ts$',
          '^admin/src/screens/media/(image-editor|image-field|media-item|media-picker|upload-file)\\.tsx?$',
          '^admin/src/screens/appearance/style-field\\.tsx$',
          '^admin/src/screens/settings/(mail-test\\.tsx|page-select\\.tsx|site-settings\\.ts)$',
          '^admin/src/screens/terms/(term-select|tree-order)\\.tsx?$',
          '^admin/src/screens/users/(roles|user-select)\\.tsx?$',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'tests-reach-a-folder-by-its-door',
      comment:
        'Files at the root of core, cms, app and cli, and what a folder offers: index, types, views for extensions, names of hooks. ' +
        'Inner files only for unit tests in the folder of the same name: test/http for core/http and cms/http.',
      severity: 'error',
      from: { path: '^test/([^/]+)/' },
      to: {
        path: '^(core|cms|app|cli|plugins|extensions)/[^/]+/',
        pathNot: [
          '/(index|types|view|extension-view)\\.ts$',
          '^core/hooks/names\\.ts$',
          '^((core|cms|app|plugins)/)?$1/',
          '^(app/testing|plugins/[^/]+/admin)/',
        ],
      },
    },
    {
      name: 'tests-of-screens-are-in-test-admin',
      severity: 'error',
      from: { path: '^test/', pathNot: '^test/admin/' },
      to: { path: '^(admin/src|plugins/[^/]+/admin)/' },
    },
    { name: 'not-resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'no-development-package-in-the-product',
      severity: 'error',
      // The admin is built, with all that it takes.
      from: { path: '^(core|cms|app|cli|plugins|extensions)/', pathNot: '(\\.test\\.ts$|^plugins/[^/]+/admin/)' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: OPTIONAL },
    },
    {
      name: 'optional-packages-are-imported-when-they-are-used',
      severity: 'error',
      from: { path: '^(core|cms|app|cli|plugins|extensions)/', pathNot: '\\.test\\.ts$' },
      to: { path: OPTIONAL, dynamic: false, dependencyTypesNot: ['type-only', 'type-import'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
}
