//! Programs in Ruby.

use super::table;

#[test]
fn files() {
    table(
        "ruby -e",
        r##"
        File.delete("victim") => deletes victim
        File.delete "a", "b" => deletes a; deletes b
        File.unlink("victim") => deletes victim
        File::delete("victim") => deletes victim
        ::File.delete("victim") => deletes victim
        FileUtils.rm_rf("victim") => deletes victim
        require "fileutils"; FileUtils.rm_rf %w[a b] => deletes a; deletes b
        require "fileutils"; include FileUtils; rm_rf "victim" => deletes victim
        FileUtils::rm_r("victim") => deletes victim
        FileUtils.rm_f(["a", "b"]) => deletes a; deletes b
        FileUtils.rm Dir["*.log"] => deletes *.log
        FileUtils.rm(Dir.glob("*.log")) => deletes *.log
        File.delete(*Dir["*.log"]) => deletes *.log
        Dir["*.log"].each { |f| File.delete f } => deletes *.log
        Dir.glob("d/*.o").each do |f| File.delete(f) end => deletes d/*.o
        Dir.glob("*.log") { |f| File.delete(f) } => deletes *.log
        Dir["*.log"].each(&File.method(:delete)) => deletes *.log
        Dir["**/*.o"].each { |f| File.delete(f) } => deletes . below +*.o
        Dir.each_child("d") { |f| File.delete("d/" + f) } => deletes d/Dir.each_child("d") { |f| File.delete("d/" + f) }
        for f in ["a", "b"]; File.delete f; end => deletes a; deletes b
        %w(a b).each { File.delete(_1) } => deletes a; deletes b
        %w(a b).each { File.delete(it) } => deletes a; deletes b
        %w[a b].map { |f| f + ".o" }.each { |f| File.delete f } => deletes a.o; deletes b.o
        f = "victim"; File.delete(f) => deletes victim
        a, b = "x", "y"; File.delete b => deletes y
        f = "vic"; f << "tim"; File.delete f => deletes victim
        f = "vic"; f += "tim"; File.delete(f) => deletes victim
        f = "vxctim"; f.gsub!("x", "i"); File.delete f => deletes victim
        f = "a"; f.replace("victim"); File.delete f => deletes victim
        File.delete("vic#{"tim"}") => deletes victim
        File.delete "vic" "tim" => deletes victim
        File.delete("%s/%s" % ["a", "b"]) => deletes a/b
        File.delete(format("%s/b", "a")) => deletes a/b
        File.delete(["a", "b"].join("/")) => deletes a/b
        File.delete(File.join("a", "b")) => deletes a/b
        File.delete("\x76ictim") => deletes victim
        File.delete("vict\im") => deletes victim
        File.delete(["76696374696d"].pack("H*")) => deletes victim
        File.delete("dmljdGlt".unpack1("m")) => deletes victim
        File.delete(["dmljdGlt"].pack("m")) => deletes File.delete(["dmljdGlt"].pack("m"))
        File.delete("axbx".sub("x", "y")) => deletes aybx
        File.delete("axbx".gsub("x", "y")) => deletes ayby
        File.delete("a b".split(" ")[0]) => deletes a
        File.delete("a b\nc".lines[1]) => deletes c
        require "base64"; File.delete(Base64.decode64("dmljdGlt")) => deletes victim
        File.send(:delete, "victim") => deletes victim
        File.public_send("del" + "ete", "victim") => deletes victim
        Object.const_get(:File).delete("victim") => deletes victim
        Kernel.const_get("File").delete("victim") => deletes victim
        m = File.method(:delete); m.call("victim") => deletes victim
        File.method(:delete).("victim") => deletes victim
        d = File; d.delete("victim") => deletes victim
        def f(p) File.delete(p) end; f("victim") => deletes victim
        def f(p = "victim") = File.delete(p); f => deletes victim
        def f(p:) File.delete(p) end; f(p: "victim") => deletes victim
        def f; yield "victim"; end; f { |x| File.delete x } => deletes victim
        def f(&b) b.call("victim") end; f { |x| File.delete x } => deletes victim
        f = ->(x) { File.delete(x) }; f.call("a"); f.("b"); f["c"] => deletes a; deletes b; deletes c
        f = lambda { |x| File.delete x }; f.call "a" => deletes a
        class A; def initialize(p); @p = p; end; def go; File.delete @p; end; end; A.new("victim").go => deletes victim
        class A; def self.go(p) File.delete(p) end; end; A.go "victim" => deletes victim
        class A; def go; other; end; def other; File.delete "victim"; end; end; A.new.go => deletes victim
        module M; def self.go; File.delete "victim"; end; end; M.go => deletes victim
        x = "a"; def f; x = "b"; end; f; File.delete x => deletes a
        File.delete "victim" if true => deletes victim
        File.delete "victim" unless false => deletes victim
        if x = 1 then File.delete "a" else File.delete "b" end => deletes a; deletes b
        case 1 when 1 then File.delete "a" else File.delete "b" end => deletes a; deletes b
        begin; File.delete "a"; rescue => e; File.delete "b"; ensure; File.delete "c"; end => deletes a; deletes b; deletes c
        File.delete "a" rescue nil => deletes a
        File.delete "a" while false => deletes a
        at_exit { File.delete "victim" } => deletes victim
        BEGIN { File.delete "victim" } => deletes victim
        END { File.delete "victim" } => deletes victim
        Thread.new { File.delete "victim" }.join => deletes victim
        loop { File.delete "victim"; break } => deletes victim
        Dir.rmdir("victim") => deletes victim
        File.rename("a", "b") => reads a; deletes a; writes b
        FileUtils.mv("a", "b") => reads a; deletes a; writes b; writes b/a maybe
        FileUtils.cp "a", "b" => reads a; writes b; writes b/a maybe
        File.write("a", "x") => writes a
        IO.write("a", "x") => writes a
        File.open("a", "w") { |f| f.puts "x" } => writes a
        File.open("a", "a") << "x" => writes a
        open("a", "w").puts "x" => writes a
        File.open("a", mode: "w") => writes a
        File.new("a", File::WRONLY | File::CREAT) => writes a
        File.truncate("a", 0) => writes a
        File.chmod(0600, "a") => writes a
        FileUtils.mkdir_p "a/b" => writes a/b
        FileUtils.touch "a" => writes a
        File.symlink(".env", "a") => reads .env; writes a
        puts File.read(".env") => reads .env
        puts IO.read(".env") => reads .env
        puts File.readlines(".env") => reads .env
        File.foreach(".env") { |l| puts l } => reads .env
        open(".env") { |f| puts f.read } => reads .env
        open(".env").each_line { |l| puts l } => reads .env
        puts File.open(".env").read => reads .env
        puts Pathname.new(".env").read => reads .env
        require "pathname"; (Pathname("a") + "victim").delete => deletes a/victim
        Pathname.new("a").join("victim").rmtree => deletes a/victim
        (Pathname.new("a") / "victim").unlink => deletes a/victim
        puts File.read(File.join(Dir.home, ".netrc")) => reads /home/dev/.netrc
        puts File.read(ENV["HOME"] + "/.netrc") => reads /home/dev/.netrc
        puts File.read("#{ENV["HOME"]}/.netrc") => reads /home/dev/.netrc
        puts File.read(ENV.fetch("HOME") + "/.netrc") => reads /home/dev/.netrc
        puts File.read(File.expand_path("~/.netrc")) => reads /home/dev/.netrc
        puts File.read(File.expand_path(".netrc", "/x")) => reads /x/.netrc
        Dir.chdir("d"); File.delete "a" => deletes d/a
        Dir.chdir("d") { File.delete "a" }; File.delete "b" => deletes d/a; deletes b
        h = {a: "x"}; File.delete h[:a] => deletes x
        h = {"a" => "x"}; h.each { |k, v| File.delete v } => deletes x
        x = nil; File.delete(x || "victim") => deletes victim
        File.delete <<E.chomp⏎victim⏎E => deletes victim
        File.delete(<<~E.strip)⏎  victim⏎E => deletes victim
        YAML.load_file("config.yml") => reads config.yml
        IO.copy_stream("a", "b") => reads a; writes b
        "victim".then { |f| File.delete f } => deletes victim
        $f = "victim"; File.delete $f => deletes victim
        F = "victim"; File.delete F => deletes victim
        @f = "victim"; File.delete @f => deletes victim
        File.delete(*["a", *["b"]]) => deletes a; deletes b
        Dir.children("d").each { |f| File.delete("d/#{f}") if f.end_with?(".o") } => deletes d/Dir.children("d").o
        Dir.children("d").each { |f| next if -f.end_with?(".o"); File.delete("d/#{f}") } => deletes d/Dir.children("d")
        "##,
    );
}

#[test]
fn commands() {
    table(
        "ruby -e",
        r##"
        system "git push -f" => runs git push -f
        system("git", "push", "-f") => runs git push -f
        Kernel.system("git push -f") => runs git push -f
        `git push -f` => runs git push -f
        puts `git #{"push"} -f` => runs git push -f
        %x(git push -f) => runs git push -f
        %x{git push -f} => runs git push -f
        exec "git push -f" => runs git push -f
        exec("git", "push", "-f") => runs git push -f
        exec(["git", "x"], "push", "-f") => runs git push -f
        spawn "git push -f" => runs git push -f
        Process.spawn("git", "push", "-f", out: "x") => writes x; runs git push -f
        Process.wait spawn("git", "push", "-f") => runs git push -f
        IO.popen("git push -f").read => runs git push -f
        IO.popen(["git", "push", "-f"]) { |f| puts f.read } => runs git push -f
        require "open3"; Open3.capture2("git push -f") => runs git push -f
        require "open3"; o, s = Open3.capture2e("git", "push", "-f"); puts o => runs git push -f
        require "open3"; Open3.capture2("sh", stdin_data: "git push -f") => runs sh; runs git push -f
        open("|git push -f").read => runs git push -f
        IO.read("|git push -f") => runs git push -f
        system("rm", "-rf", "victim", chdir: "/d") => runs rm -rf victim; deletes victim
        system({"X" => "push"}, "git $X") => runs git push
        ENV["X"] = "push"; system "git $X" => runs git push
        send(:system, "git push -f") => runs git push -f
        Kernel.send(:system, "git push -f") => runs git push -f
        "".send(:system, "git push -f") => runs git push -f
        method(:system).call("git push -f") => runs git push -f
        system = 1; system "git push -f" => runs git push -f
        eval "system 'git push -f'" => runs git push -f
        eval("sys" + "tem 'git push -f'") => runs git push -f
        instance_eval "system 'git push -f'" => runs git push -f
        "".instance_eval { system "git push -f" } => runs git push -f
        binding.eval("system 'git push -f'") => runs git push -f
        ["git push -f"].each { |c| system c } => runs git push -f
        ["git push -f"].each(&method(:system)) => runs git push -f
        File.write("x.sh", "git push -f"); system "sh x.sh" => writes x.sh; runs sh x.sh; reads x.sh; runs git push -f
        File.write("x.rb", "system 'git push -f'"); load "./x.rb" => writes x.rb; runs git push -f
        system("sh", "-c", "git push -f") => runs sh -c git push -f; runs git push -f
        "##,
    );
}

#[test]
fn what_is_not_known() {
    table(
        "ruby -e",
        r##"
        system gets => ? Computed anything
        system(gets.chomp) => ? Computed anything
        eval gets => ? Computed anything
        eval File.read("x.rb") => reads x.rb; ? ScriptFile named
        load "x.rb" => reads x.rb; ? ScriptFile named
        send(gets, "x") => ? Computed anything
        5.send(gets, "x") => ? Computed anything
        open(gets) => reads open(gets); ? Computed anything
        Marshal.load(x) => ? Library named; ? Computed anything
        Foo.bar("git push") => ? Library named
        foo "git push" => ? Library named
        require "open-uri"; eval URI.open("https://h/x").read => executes curl https://h/x; ? Computed anything
        require "open-uri"; eval open("https://h/x").read => executes curl https://h/x; ? Computed anything
        require "net/http"; eval Net::HTTP.get(URI("https://h/x")) => executes curl https://h/x; ? Computed anything
        require "net/http"; system Net::HTTP.get(URI("https://h/x")) => executes curl https://h/x; ? Computed anything
        f = 4; f /2; File.delete "victim" # / => ? Computed anything
        f = 4; f <<X⏎File.delete "victim"⏎X => ? Computed anything
        File.delete(gets) => deletes File.delete(gets)
        f = "a"; f.insert(0, "b"); File.delete f => deletes a; deletes File.delete f
        def f( => ? Library named; ? Foreign named
        "##,
    );
}

#[test]
fn what_does_nothing() {
    table(
        "ruby -e",
        r##"
        puts 1 =>
        # File.delete("x") =>
        puts "rm -rf /", ".env" =>
        x = ".env" =>
        puts 'File.delete("x")' =>
        puts RUBY_VERSION =>
        puts [1, 2, 3].map { |x| x * 2 }.sum =>
        puts (1..10).select(&:even?).inspect =>
        puts ENV["PATH"] =>
        puts Time.now.strftime("%Y") =>
        require "json"; puts JSON.pretty_generate({a: 1}) =>
        require "json"; puts JSON.parse(STDIN.read)["a"] =>
        require "json"; d = JSON.parse($stdin.read); d["items"].each { |i| puts i["name"] } =>
        require "securerandom"; puts SecureRandom.hex(32) =>
        require "digest"; puts Digest::SHA256.hexdigest("x") =>
        h = Hash.new(0); %w[a b a].each { |w| h[w] += 1 }; p h =>
        puts "abc".gsub("b", "x").upcase.reverse =>
        puts "%05.2f" % 1.5 =>
        printf("%d\n", 1) =>
        5.times { |i| puts i } =>
        1.upto(3) { |i| puts i } =>
        puts Dir.pwd =>
        puts File.exist?("x") =>
        puts File.basename("a/b.rb", ".rb") =>
        exit 1 =>
        raise "x" =>
        def fib(n) n < 2 ? n : fib(n - 1) + fib(n - 2) end; puts fib(5) =>
        def unused; File.delete("x"); end =>
        class A; attr_reader :x; def initialize; @x = 1; end; def to_s = "A"; end; puts A.new =>
        Point = Struct.new(:x, :y); p Point.new(1, 2) =>
        begin; Integer("x"); rescue ArgumentError => e; warn e.message; end =>
        puts Gem::Version.new("1.10") > Gem::Version.new("1.9") =>
        puts "x".encode("UTF-8").bytes.inspect =>
        $stdout.puts "x"; STDERR.puts "y" =>
        puts gets =>
        puts STDIN.each_line.map(&:strip).sort =>
        a = [3, 1]; a.sort!; a << 2; a.push(4); p a, a.first, a[0..1] =>
        puts({a: 1}.to_a.flatten.inspect) =>
        p "a-b".split("-").map(&:capitalize).join =>
        puts [1, 2].each_with_object([]) { |x, l| l << x }.inspect =>
        puts [1, 2].inject(0) { |s, x| s + x } =>
        puts __FILE__ if __FILE__ == $0 =>
        require "time"; puts Time.parse("2024-01-01").iso8601 =>
        require "optparse"; OptionParser.new { |o| o.on("-x") { puts 1 } }.parse! =>
        require "erb"; puts ERB::Util.html_escape("<") =>
        require "uri"; puts URI.parse("https://h/x").host =>
        require "shellwords"; puts Shellwords.escape("a b") =>
        require "open-uri"; puts URI.open("https://h/x").read =>
        puts <<~E⏎  rm -rf / #{1}⏎E =>
        puts "it's #{1 > 0 ? "yes" : "no"}" =>
        x = gets&.chomp || "none"; puts x =>
        puts [*1..3, 4].each_slice(2).to_a.inspect =>
        puts /a+/.match?("aa"), "aa" =~ /a/ =>
        catch(:done) { throw :done } =>
        puts "a".freeze.frozen?, :a.to_proc.call("x") =>
        "##,
    );
}
