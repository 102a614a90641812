/// The statements, for psql, that give a service a role and a database of its own. They may run at every start.
enum DatabaseRoles {
  /// The password consists of hexadecimal digits, the name of letters: neither needs quoting.
  static func statements(for service: String, password: String) -> String {
    """
    SELECT 'CREATE ROLE \(service) LOGIN' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '\(service)') \\gexec
    ALTER ROLE \(service) PASSWORD '\(password)';
    SELECT 'CREATE DATABASE \(service) OWNER \(service)'
      WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = '\(service)') \\gexec
    REVOKE ALL ON DATABASE \(service) FROM PUBLIC;

    """
  }
}
