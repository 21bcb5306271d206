import assert from 'node:assert/strict';
import { childProxy, type ProxyQuestion } from '../../../src/ui/shell/settings/localService';

const NODE = '22.21.1';
const PROXY = 'http://proxy.example.org:3128';

interface Given {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly environment?: ProxyQuestion['environment'];
  readonly nodeVersion?: string;
}

const proxyWith = ({ settings = {}, environment = {}, nodeVersion = NODE }: Given) =>
  childProxy({ raw: (name) => settings[name], environment, nodeVersion });

describe('The proxy of the local service', () => {
  it('The proxy of the settings is used, and not for requests to this machine', () => {
    const { variables } = proxyWith({
      settings: { 'http.proxy': ` ${PROXY} `, 'http.noProxy': ['intra.example.org'] },
      environment: { HTTPS_PROXY: 'http://other.example.org', no_proxy: 'ignored.example.org' },
    });
    assert.deepEqual(
      ['NODE_USE_ENV_PROXY', 'HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].map((name) => variables[name]),
      ['1', PROXY, PROXY, PROXY, PROXY],
    );
    assert.equal(variables['NO_PROXY'], 'intra.example.org,localhost,127.0.0.1,[::1]');
    assert.equal(variables['no_proxy'], variables['NO_PROXY']);
  });

  it('Without a proxy in the settings, that of the environment is used', () => {
    const { variables } = proxyWith({
      environment: { https_proxy: PROXY, HTTPS_PROXY: 'http://other.example.org', NO_PROXY: 'a.example, b.example' },
    });
    assert.deepEqual(
      [variables['https_proxy'], variables['HTTPS_PROXY'], variables['http_proxy'], variables['NO_PROXY']],
      [PROXY, PROXY, '', 'a.example,b.example,localhost,127.0.0.1,[::1]'],
    );
  });

  it('No proxy is used where there is none, or where proxies are turned off', () => {
    for (const given of [{}, { settings: { 'http.proxySupport': 'off', 'http.proxy': PROXY }, environment: { HTTPS_PROXY: PROXY } }]) {
      assert.deepEqual(proxyWith(given), { variables: { NODE_USE_SYSTEM_CA: '1' }, secrets: [] });
    }
  });

  it('The certificates of the system are trusted unless the settings say no', () => {
    const { variables } = proxyWith({ settings: { 'http.proxy': PROXY, 'http.systemCertificates': false, 'http.proxyStrictSSL': false } });
    assert.equal(variables['NODE_USE_SYSTEM_CA'], undefined);
    assert.equal(variables['NODE_TLS_REJECT_UNAUTHORIZED'], undefined, 'certificates are always checked');
  });

  it('The password of the proxy is a secret', () => {
    const { secrets } = proxyWith({ settings: { 'http.proxy': 'http://me:S3cret%40@proxy.example.org' } });
    assert.deepEqual(secrets, ['S3cret%40']);
  });

  it('A proxy that can not be used is a problem without its address, and the process starts without it', () => {
    for (const [given, says] of [
      [{ settings: { 'http.proxy': 'socks5://me:S3cret@proxy.example.org' } }, /must start with http:/],
      [{ environment: { HTTPS_PROXY: 'S3cret' } }, /must start with http:/],
      [{ settings: { 'http.proxy': PROXY }, nodeVersion: '22.20.0' }, /needs a newer VS Code/],
      [{ settings: { 'http.proxy': PROXY }, nodeVersion: '20.20.2' }, /needs a newer VS Code/],
    ] as const) {
      const { variables, problem } = proxyWith(given);
      assert.equal(variables['NODE_USE_ENV_PROXY'], undefined);
      assert.match(problem ?? '', says);
      assert.doesNotMatch(problem ?? '', /S3cret|example/);
    }
    assert.equal(proxyWith({ settings: { 'http.proxy': PROXY }, nodeVersion: '24.21.0' }).problem, undefined);
  });
});
