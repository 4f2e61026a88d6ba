# What a script does: makes a text, counts and edits its words, keeps records, calls functions. Argument: how many rounds.
use strict;
use warnings;

my @syllables = qw(ba do ki lu me no ra se ti vu);

# Lines of words from a linear congruential generator.
sub make_lines {
    my ($seed, $count) = @_;
    my @lines;
    for (1 .. $count) {
        my @words;
        for (1 .. 8) {
            $seed = ($seed * 69069 + 12345) % 16777216;
            my ($number, $word) = ($seed >> 3, '');
            for (0 .. 1 + ($seed >> 4) % 4) {
                $word .= $syllables[$number % 10];
                $number = int($number / 7);
            }
            push @words, $word;
        }
        push @lines, join(' ', @words) . ' ' . $seed % 1000;
    }
    return \@lines;
}

sub count_words {
    my ($lines) = @_;
    my (%count, $total);
    for (@$lines) {
        $count{$_}++ for /[a-z]+/g;
        $total += $1 if /(\d+)$/;
    }
    my @often = sort { $count{$b} <=> $count{$a} || $a cmp $b } keys %count;
    return join(',', (map { "$_=$count{$_}" } @often[0 .. 19]), $total);
}

sub edit_lines {
    my ($lines) = @_;
    my ($marked, $length) = (0, 0);
    for my $line (@$lines) {
        my $text = $line;
        $marked += $text =~ s/\b(\w\w)(\w*)(\w\w)\b/\u$3$2\l$1/g;
        $text =~ tr/a-m/n-z/;
        $text =~ s/(?:(?:on|qb)+)\b/<$&>/g;
        $length += length join '-', reverse split / /, $text;
    }
    return "$marked $length";
}

sub keep_records {
    my ($lines) = @_;
    my %records;
    for (@$lines) {
        my @fields = split ' ';
        push @{$records{$fields[0]}{$fields[1]}}, $fields[-1];
    }
    my $sum = 0;
    for my $name (sort keys %records) {
        for my $other (sort keys %{$records{$name}}) {
            $sum = ($sum * 31 + $_) % 1000003 for sort { $a <=> $b } @{$records{$name}{$other}};
        }
    }
    return $sum;
}

sub ackermann {
    my ($m, $n) = @_;
    return $n + 1 if !$m;
    return ackermann($m - 1, $n ? ackermann($m, $n - 1) : 1);
}

no warnings 'recursion';
for my $turn (1 .. $ARGV[0]) {
    my $lines = make_lines($turn, 1000);
    printf "%d %s %s %d %d\n", $turn, count_words($lines), edit_lines($lines), keep_records($lines), ackermann(2, 12);
}
